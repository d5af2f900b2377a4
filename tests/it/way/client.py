"""A stranger's program: a client generated from /openapi.json remembers, waits for the trace and reads the memories."""

import sys
import time

from recall_client import Client
from recall_client.api.memories import list_ as memories
from recall_client.api.remember import remember
from recall_client.api.traces import get as trace
from recall_client.models import Message, Remember, ScopeFields


def main(address: str) -> None:
    client = Client(base_url=address, raise_on_unexpected_status=True)
    turn = Message(role="user", content="I live in Odense.", id="t1", timestamp="2026-03-02T18:11:00+01:00")
    call = Remember(scope=ScopeFields(user_id="kim"), session_id="s1", messages=[turn])
    accepted = remember.sync(client=client, body=call)
    deadline = time.monotonic() + 45
    while True:
        seen = trace.sync(accepted.trace_id, client=client)
        if seen.status == "done":
            break
        if time.monotonic() > deadline:
            sys.exit(f"the trace is still {seen.status}")
        time.sleep(0.05)
    for memory in memories.sync(client=client, user_id="kim").items:
        print(memory.status, memory.value, memory.provenance["sources"][0]["quote"])


main(sys.argv[1])
