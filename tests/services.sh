# Finds or starts the services of the tests; sourced by tests/run.
# In this order: one that answers, installed binaries, a container engine, Debian packages (as root).

POSTGRES_IMAGE=${POSTGRES_IMAGE:-docker.io/library/postgres:17}
RABBITMQ_IMAGE=${RABBITMQ_IMAGE:-docker.io/library/rabbitmq:4.1}
SERVICE_SECONDS=90
services_dir=
stop_steps=()

start_services() {
    DATABASE_URL=${DATABASE_URL:-postgres://postgres:postgres@127.0.0.1:5432/postgres}
    AMQP_URL=${AMQP_URL:-amqp://guest:guest@127.0.0.1:5672/%2f}
    find_or_start PostgreSQL postgres_answers "$DATABASE_URL"
    find_or_start RabbitMQ rabbitmq_answers "$AMQP_URL"
    export DATABASE_URL AMQP_URL
}

stop_services() {
    local code=$? at
    set +e
    for ((at = ${#stop_steps[@]} - 1; at >= 0; at--)); do
        ${stop_steps[at]} >/dev/null 2>&1
    done
    stop_steps=()
    [ -z "$services_dir" ] || rm -rf "$services_dir"
    return "$code"
}

# find_or_start NAME ANSWERS URL
find_or_start() {
    local name=$1 answers=$2 url=$3 kind=${1,,}
    if "$answers" "$url"; then
        note "$name answers at $(place "$url")"
        return
    fi
    note "$name does not answer at $(place "$url"): starting one for this run"
    services_dir=${services_dir:-$(mktemp -d "${TMPDIR:-/tmp}/recall-tests.XXXXXX")}
    chmod 711 "$services_dir"
    if ! "${kind}_installed" && ! engine >/dev/null && [ "$(id -u)" = 0 ] && have apt-get; then
        note "$name is not installed and there is no container engine: installing Debian's package"
        install_package "$kind"
    fi
    if "${kind}_installed"; then
        "start_$kind"
    elif engine >/dev/null; then
        "start_${kind}_container" "$(engine)"
    else
        note "$name is needed: start one and set its URL, or install it, or install docker or podman" >&2
        return 1
    fi
}

# own NAME: one of the caller's own, installed where it is missing; for what kills servers, or measures on them.
own() {
    local kind=$1
    if ! "${kind}_installed" && [ "$(id -u)" = 0 ] && have apt-get; then
        install_package "$kind"
    fi
    "${kind}_installed" || { note "$kind must be installed: one that runs already is not touched" >&2; return 1; }
    "start_$kind"
}

# Host and port of a URL, without what else is in it.
place() {
    local rest=${1#*://}
    rest=${rest##*@}
    rest=${rest%%/*}
    rest=${rest%%\?*}
    case $rest in
        *:*) echo "$rest" ;;
        *) echo "$rest:$([ "${1%%:*}" = amqp ] && echo 5672 || echo 5432)" ;;
    esac
}

# talk PLACE BYTES: sends bytes and prints the first byte of the answer in hexadecimal.
talk() {
    timeout 5 bash -c 'exec 3<>"/dev/tcp/${1%:*}/${1##*:}" && printf "%b" "$2" >&3 && head -c 1 <&3 | od -An -tx1 | tr -d " \n"' \
        talk "$1" "$2" 2>/dev/null
}

# An SSL request is answered with one letter by every PostgreSQL, whatever its passwords.
postgres_answers() {
    if have psql; then
        PGCONNECT_TIMEOUT=5 psql -X -w -q -c 'select 1' "$1" >/dev/null 2>&1
        return
    fi
    case $(talk "$(place "$1")" '\0\0\0\10\4\322\026\057') in 4e | 53) ;; *) return 1 ;; esac
}

# The protocol header is answered with a method frame.
rabbitmq_answers() {
    [ "$(talk "$(place "$1")" 'AMQP\0\0\011\01')" = 01 ]
}

free_port() {
    local port
    while port=$((20000 + RANDOM % 12000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

# wait_until NAME COMMAND…
wait_until() {
    local name=$1 second
    shift
    for ((second = 0; second < SERVICE_SECONDS * 2; second++)); do
        if "$@"; then
            note "$name answers at $(place "${!#}")"
            return
        fi
        sleep 0.5
    done
    note "$name was started and does not answer" >&2
    tail -n 30 "$services_dir"/*.log >&2 || true
    return 1
}

# as_servant COMMAND…: PostgreSQL refuses to run as root.
as_servant() {
    if [ "$(id -u)" != 0 ]; then
        "$@"
    else
        su -s /bin/sh "$(servant)" -c "cd / && $(printf '%q ' "$@")"
    fi
}

servant() {
    if id -u postgres >/dev/null 2>&1; then echo postgres; else echo nobody; fi
}

postgres_bin() {
    local dir
    for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V -r) "$(dirname "$(command -v pg_ctl || echo /none/pg_ctl)")"; do
        if [ -x "$dir/initdb" ] && [ -x "$dir/pg_ctl" ]; then
            echo "$dir"
            return
        fi
    done
    return 1
}

postgresql_installed() {
    postgres_bin >/dev/null
}

start_postgresql() {
    local bin port data=$services_dir/postgres
    bin=$(postgres_bin)
    port=$(free_port)
    mkdir "$data"
    [ "$(id -u)" != 0 ] || chown "$(servant)" "$data"
    as_servant "$bin/initdb" -D "$data/base" -U postgres -A trust -E UTF8 --locale=C >"$services_dir/initdb.log" 2>&1
    printf 'as_servant %q -D %q -l %q -w -t %q -o %q start\n' "$bin/pg_ctl" "$data/base" "$data/server.log" "$SERVICE_SECONDS" \
        "-p $port -k $data -c listen_addresses=127.0.0.1 -c max_connections=300" >"$services_dir/start_postgresql"
    source "$services_dir/start_postgresql" >"$services_dir/pg_ctl.log" 2>&1 || { cat "$data/server.log" >&2; return 1; }
    stop_steps+=("as_servant $bin/pg_ctl -D $data/base -m immediate stop")
    printf 'as_servant %q -D %q -l %q -m immediate -w restart\n' "$bin/pg_ctl" "$data/base" "$data/server.log" >"$services_dir/kill_postgresql"
    DATABASE_URL=postgres://postgres:postgres@127.0.0.1:$port/postgres
    wait_until PostgreSQL postgres_answers "$DATABASE_URL"
}

rabbitmq_bin() {
    local script
    for script in /usr/lib/rabbitmq/bin/rabbitmq-server "$(command -v rabbitmq-server || true)"; do
        if [ -x "$script" ]; then
            echo "$script"
            return
        fi
    done
    return 1
}

rabbitmq_installed() {
    rabbitmq_bin >/dev/null && have erl
}

start_rabbitmq() {
    local port home=$services_dir/rabbitmq
    port=$(free_port)
    mkdir "$home"
    printf 'listeners.tcp.local = 127.0.0.1:%s\n' "$port" >"$home/rabbitmq.conf"
    printf '[].\n' >"$home/enabled_plugins"
    : >"$home/env.conf"
    epmd -names >/dev/null 2>&1 || stop_steps+=("epmd -kill")
    {
        printf 'export HOME=%q ERL_EPMD_ADDRESS=127.0.0.1 RABBITMQ_CONF_ENV_FILE=%q\n' "$home" "$home/env.conf"
        printf 'export RABBITMQ_NODENAME=%q RABBITMQ_NODE_PORT=%q RABBITMQ_DIST_PORT=%q\n' "recall-tests-$port@localhost" "$port" "$(free_port)"
        printf 'export RABBITMQ_CONFIG_FILE=%q RABBITMQ_ENABLED_PLUGINS_FILE=%q\n' "$home/rabbitmq.conf" "$home/enabled_plugins"
        printf 'export RABBITMQ_MNESIA_BASE=%q RABBITMQ_LOG_BASE=%q RABBITMQ_PID_FILE=%q\n' "$home/data" "$home/log" "$home/pid"
        printf 'export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1}"\n'
    } >"$home/env"
    {
        cat "$home/env"
        printf 'setsid %q >>%q 2>&1 </dev/null &\necho $! >%q\n' "$(rabbitmq_bin)" "$services_dir/rabbitmq.log" "$home/group"
    } >"$home/start"
    bash "$home/start"
    stop_steps+=("stop_group_in $home/group")
    printf 'kill -KILL -- -$(cat %q)\nbash %q\n' "$home/group" "$home/start" >"$services_dir/kill_rabbitmq"
    AMQP_URL=amqp://guest:guest@127.0.0.1:$port/%2f
    wait_until RabbitMQ rabbitmq_answers "$AMQP_URL"
}

# signal_postgresql SIGNAL: to the server and every process of it.
signal_postgresql() {
    local server
    server=$(head -n 1 "$services_dir/postgres/base/postmaster.pid")
    kill "-$1" "$server" $(pgrep -P "$server")
}

# signal_rabbitmq SIGNAL: to every process of the server.
signal_rabbitmq() {
    kill "-$1" -- "-$(cat "$services_dir/rabbitmq/group")"
}

# rabbitmq_memory SHARE: how much of the memory RabbitMQ may use before it takes no messages.
rabbitmq_memory() {
    bash -c "source '$services_dir/rabbitmq/env'; '$(dirname "$(rabbitmq_bin)")/rabbitmqctl' set_vm_memory_high_watermark $1" >/dev/null
}

# stop_group_in FILE: the process whose number stands there and everything it started, waited for.
stop_group_in() {
    local tenth group
    group=$(cat "$1")
    kill -TERM -- "-$group"
    for ((tenth = 0; tenth < 150; tenth++)); do
        kill -0 -- "-$group" || return 0
        sleep 0.1
    done
    kill -KILL -- "-$group"
}

engine() {
    local engine
    for engine in docker podman; do
        if have "$engine" && "$engine" info >/dev/null 2>&1; then
            echo "$engine"
            return
        fi
    done
    return 1
}

# container ENGINE IMAGE PORT ARGUMENTS…: starts one and prints its id and the address of its port.
container() {
    local engine=$1 image=$2 port=$3 id
    shift 3
    id=$("$engine" run --detach --rm --publish "127.0.0.1::$port" "$@" "$image")
    echo "$id" "$("$engine" port "$id" "$port/tcp" | head -n 1)"
}

start_postgresql_container() {
    local id address
    read -r id address < <(container "$1" "$POSTGRES_IMAGE" 5432 --env POSTGRES_PASSWORD=postgres)
    stop_steps+=("$1 rm --force $id")
    DATABASE_URL=postgres://postgres:postgres@$address/postgres
    wait_until PostgreSQL postgres_answers "$DATABASE_URL"
}

start_rabbitmq_container() {
    local id address
    read -r id address < <(container "$1" "$RABBITMQ_IMAGE" 5672)
    stop_steps+=("$1 rm --force $id")
    AMQP_URL=amqp://guest:guest@$address/%2f
    wait_until RabbitMQ rabbitmq_answers "$AMQP_URL"
}

# A browser without a screen, for pictures of reports. Where none can be had, the test that wants one says that it did not run.
find_browser() {
    local name
    for name in chromium-headless-shell chromium chromium-browser google-chrome chrome-headless-shell; do
        ! have "$name" || return 0
    done
    if [ -n "${CI:-}" ] && [ "$(id -u)" = 0 ] && have apt-get; then
        services_dir=${services_dir:-$(mktemp -d "${TMPDIR:-/tmp}/recall-tests.XXXXXX")}
        install_package chromium-headless-shell
    fi
}

# install_package KIND: the package's own service must not start, since the tests start one with data of their own.
install_package() {
    local package=$1 policy=/usr/sbin/policy-rc.d ours=
    [ "$package" = rabbitmq ] && package=rabbitmq-server
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
        ours=yes
    fi
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$package"; } \
        >"$services_dir/apt.log" 2>&1 || note "apt-get install $package failed: $(tail -n 1 "$services_dir/apt.log")" >&2
    [ -z "$ours" ] || rm -f "$policy"
}
