//! Random frames on the sockets of two who play and one who watches.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::generator::Generator;
use super::requests::assert_error_body;
use super::tracker::GameTracker;
use crate::tests::test_server::{Socket, listen, open_socket};

/// The sockets of a game.
struct Open {
    id: String,
    sockets: [Option<Socket>; 3],
}

pub(super) async fn send(seed: u64, count: usize) {
    let mut dice = Generator::new(seed);
    let mut ledger = GameTracker::new(&mut dice).await;
    let address = listen(&ledger.server).await;
    let mut opened: Vec<Open> = Vec::new();
    for game in &ledger.games {
        opened.push(Open::new(&game.id));
    }
    let mut done = [0; 3];
    for number in 0..count {
        let at = dice.below(ledger.games.len());
        let game = &ledger.games[at];
        if opened[at].id != game.id {
            opened[at] = Open::new(&game.id);
        }
        let who = dice.below(3);
        let place = &mut opened[at].sockets[who];
        let mut socket = match place.take() {
            Some(socket) => socket,
            None => {
                let path = format!("/games/{}/socket{}", game.id, dice.pick(&["", "?html=1"]));
                open_socket(address, &ledger.clients[who], &path).await
            }
        };
        let (message, ends) = frame(&mut dice, &game.observed.view["game"]);
        let what = format!("seed {seed}, frame {number}: {who} {message:.300?}");
        let answers = tell(&mut socket, message, number).await;
        assert_eq!(answers.is_none(), ends, "{what}: whether the socket ends");
        let Some(refused) = answers else {
            ledger.assert_unchanged(at, &what).await;
            done[2] += 1;
            continue;
        };
        if !dice.one_in(50) {
            *place = Some(socket);
        }
        match refused {
            Some(error) => {
                assert_error_body(&error, &what);
                let kind = error["error"]["kind"].as_str().unwrap();
                assert!(
                    !["store", "internal", "busy"].contains(&kind),
                    "{what}: {error}"
                );
                ledger.assert_unchanged(at, &what).await;
                done[1] += 1;
            }
            None => {
                ledger.refresh(at, &mut dice).await;
                done[0] += 1;
            }
        }
    }
    assert!(done.iter().all(|&part| part > count / 100), "{done:?}");
}

impl Open {
    fn new(id: &str) -> Open {
        Open {
            id: id.into(),
            sockets: [const { None }; 3],
        }
    }
}

/// A message, and whether it is one after which nothing more is said.
fn frame(dice: &mut Generator, game: &Value) -> (Message, bool) {
    let mut action = dice.action(game);
    if dice.one_in(4) {
        let tags = [json!(7), json!("seven"), json!({}), json!("7".repeat(200))];
        action["tag"] = tags[dice.below(tags.len())].clone();
    }
    match dice.below(40) {
        0 => (Message::binary(action.to_string()), false),
        1 => (Message::Ping("ping".into()), false),
        2 => (Message::text(" ".repeat(17 << 10)), true),
        3..14 => {
            let bytes = dice.corrupt(&action);
            let ends = std::str::from_utf8(&bytes).is_err();
            let frame = Frame::message(bytes, OpCode::Data(Data::Text), true);
            (Message::Frame(frame), ends)
        }
        _ => (Message::text(action.to_string()), false),
    }
}

/// Says it, and hears what is said until an answer to a second message shows that the
/// first has been heard: none where the socket has ended, else the refusal if it was
/// one.
async fn tell(socket: &mut Socket, message: Message, number: usize) -> Option<Option<Value>> {
    let last = format!("last {number}");
    // Where the other end has gone, hearing says so.
    let _ = socket.send(message).await;
    let question = json!({"do": "look", "tag": last});
    let _ = socket.send(Message::text(question.to_string())).await;
    let mut refused = None;
    loop {
        let text = match socket.next().await {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            _ => return None,
        };
        let frame: Value = serde_json::from_str(&text).unwrap();
        if frame["tag"] == last {
            return Some(refused);
        }
        if frame["type"] == "error" {
            assert_eq!(refused, None, "one message has one answer");
            refused = Some(frame);
        } else {
            assert_eq!(frame["type"], "state", "{frame}");
        }
    }
}
