//! Brings a success response to the exact form async-openai reads. Servers leave out ids and dates, invent finish reasons, send
//! numbers as floats; the library would refuse those and log the whole body, so it only ever sees what was written here.

use serde_json::{Value, json};

use crate::LlmError;

/// Reads a body of status 200 and writes it down anew.
pub(super) fn normalise(body: &[u8]) -> Result<Vec<u8>, LlmError> {
    let value: Value = serde_json::from_slice(body).map_err(|_| unusable("response of the server is not JSON"))?;
    let Some(choice) = value.pointer("/choices/0") else {
        return Err(unusable(if value.get("error").is_some() {
            "response is an error with status 200"
        } else {
            "response holds no choices"
        }));
    };
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
    let normal = json!({
        "id": text("/id").unwrap_or_default(),
        "object": "chat.completion",
        "created": 0,
        "model": text("/model").unwrap_or_default(),
        "choices": [{
            "index": 0,
            "finish_reason": finish(choice.get("finish_reason").and_then(Value::as_str)),
            "message": {
                "role": "assistant",
                "content": content(choice),
                "refusal": choice.pointer("/message/refusal").and_then(Value::as_str),
            },
        }],
        "usage": usage(&value),
    });
    serde_json::to_vec(&normal).map_err(|_| unusable("response of the server is not JSON"))
}

fn unusable(why: &str) -> LlmError {
    LlmError::Unusable { why: why.into() }
}

/// The closed list of the library; a reason nobody knows says nothing and counts as a plain end.
fn finish(reason: Option<&str>) -> &'static str {
    match reason {
        Some("length" | "max_tokens" | "model_length") => "length",
        Some("content_filter" | "safety") => "content_filter",
        Some(_) | None => "stop",
    }
}

/// The words of the reply: text, parts of text, or the arguments of a tool call that stand in for it.
fn content(choice: &Value) -> Option<String> {
    let message = choice.get("message")?;
    let words = match message.get("content") {
        Some(Value::String(words)) => words.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        Some(Value::Object(_)) => message.get("content").map(Value::to_string).unwrap_or_default(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) | None => String::new(),
    };
    if !words.trim().is_empty() {
        return Some(words);
    }
    let arguments = message.pointer("/tool_calls/0/function/arguments");
    arguments.map(|arguments| arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned))
}

fn usage(value: &Value) -> Option<Value> {
    let usage = value.get("usage").filter(|usage| usage.is_object())?;
    let count = |name: &str| {
        let number = usage.get(name).and_then(Value::as_f64).unwrap_or_default();
        number.clamp(0.0, f64::from(u32::MAX)) as u32
    };
    let (prompt, completion) = (count("prompt_tokens"), count("completion_tokens"));
    Some(json!({
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt.saturating_add(completion),
    }))
}

#[cfg(test)]
mod tests {
    use async_openai::types::chat::CreateChatCompletionResponse;

    use super::*;

    fn read(body: &str) -> Result<CreateChatCompletionResponse, String> {
        let bytes = normalise(body.as_bytes()).map_err(|error| error.to_string())?;
        Ok(serde_json::from_slice(&bytes).unwrap())
    }

    #[test]
    fn whatever_servers_leave_out_or_invent_the_library_can_read_it() {
        let table = [
            (r#"{"choices":[{"message":{"content":"hi"}}]}"#, Some("hi")),
            (
                r#"{"id":7,"created":"now","choices":[{"message":{"content":"hi"},"finish_reason":"eos_token"}],"usage":null}"#,
                Some("hi"),
            ),
            (
                r#"{"choices":[{"message":{"content":[{"type":"text","text":"h"},{"type":"text","text":"i"}]}}]}"#,
                Some("hi"),
            ),
            (
                r#"{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"arguments":"{}"}}]}}]}"#,
                Some("{}"),
            ),
            (r#"{"choices":[{"message":{"content":{"candidates":[]}}}]}"#, Some(r#"{"candidates":[]}"#)),
            (r#"{"choices":[{"message":{"content":null}}]}"#, None),
            (r#"{"choices":[{}]}"#, None),
        ];
        for (body, words) in table {
            assert_eq!(read(body).unwrap().choices[0].message.content.as_deref(), words, "{body}");
        }
    }

    #[test]
    fn usage_is_read_from_any_number() {
        let usage =
            read(r#"{"choices":[{}],"usage":{"prompt_tokens":12.0,"completion_tokens":-1,"total_tokens":9e99}}"#);
        let usage = usage.unwrap().usage.unwrap();
        assert_eq!((usage.prompt_tokens, usage.completion_tokens), (12, 0));
    }

    #[test]
    fn a_success_without_an_answer_is_an_error() {
        for body in
            ["", "<html>", "{\"choices\":[]}", "{}", "[]", "{\"choices\":[{\"mess", "{\"error\":{\"code\":500}}"]
        {
            assert!(read(body).is_err(), "{body}");
        }
    }
}
