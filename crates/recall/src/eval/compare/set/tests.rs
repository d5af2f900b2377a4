//! Conversations of files.

use super::*;

const GOOD: &str = r#"{"kind":"conversation","id":"garden","language":"en","type":"short","scope":{"account_id":"club"}}
{"kind":"turn","session":"s1","turn_id":"t1","role":"user","name":"Ana","content":"I dig.","timestamp":"2026-03-02T18:11:00+01:00"}
{"kind":"turn","session":"s2","turn_id":"t2","role":"user","content":"No, I weed."}
{"kind":"gold","id":"g1","claim":"User digs","subject":"user","keywords":[["digs"]],"turns":["t1"],"replaced_by":"g2"}
{"kind":"gold","id":"g2","claim":"User weeds","turns":["t2"],"polarity":"positive","hedged":false,"date":null}
{"kind":"falsehood","id":"f1","claim":"User sows","keywords":[["sows"]],"turns":["t1"],"why":"nobody said so"}
"#;

fn read_text(text: &str) -> anyhow::Result<Vec<Conversation>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), text).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not a conversation").unwrap();
    read(&[folder.path().to_owned()])
}

#[test]
fn a_labelled_file_is_read_with_sessions_of_its_own() {
    let conversations = read_text(GOOD).unwrap();
    let [garden] = conversations.as_slice() else { panic!("{conversations:#?}") };
    let sessions: Vec<&str> = garden.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(sessions, ["garden/s1", "garden/s2"]);
    assert_eq!((garden.turns(), garden.length(), garden.kind.as_str()), (2, "1 to 8 turns", "short"));
    assert_eq!(garden.scope.account_id.as_deref(), Some("club"));
    let labels = garden.labels.as_ref().unwrap();
    assert_eq!((labels.gold.len(), labels.falsehoods.len()), (2, 1));
    assert_eq!(labels.gold[1].subject, "user");
}

#[test]
fn a_packed_file_is_read_as_it_was_before() {
    let folder = tempfile::tempdir().unwrap();
    let packed = ruzstd::encoding::compress_to_vec(GOOD.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    std::fs::write(folder.path().join("a.jsonl.zst"), packed).unwrap();
    let [packed, plain] =
        [read(&[folder.path().to_owned()]), read_text(GOOD)].map(|read| format!("{:?}", read.unwrap()));
    assert_eq!(packed, plain);
}

#[test]
fn other_files_are_archives_without_labels() {
    let conversations = read_text("{\"role\":\"user\",\"content\":\"I dig.\"}\n").unwrap();
    assert_eq!(conversations[0].labels, None);
    assert_eq!(conversations[0].scope.user_id.as_deref(), Some("user"));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let unknown_turn = GOOD.replace("\"turns\":[\"t2\"]", "\"turns\":[\"t9\"]");
    let unknown_gold = GOOD.replace("\"replaced_by\":\"g2\"", "\"replaced_by\":\"g9\"");
    let no_head = GOOD.split_once('\n').unwrap().1;
    for (text, told) in [
        (unknown_turn.as_str(), "g2 names turn t9, which is not there"),
        (&unknown_gold, "g1 is replaced by g9, which is not there"),
        (&format!("{GOOD}{GOOD}"), "two conversations are called garden"),
        (no_head, "the first line must be of kind \"conversation\""),
        (&GOOD.replace("\"falsehood\"", "\"lie\""), "a.jsonl:6"),
    ] {
        let error = format!("{:#}", read_text(text).unwrap_err());
        assert!(error.contains(told), "{error}");
    }
    assert!(read(&[PathBuf::from("/nowhere")]).is_err());
}
