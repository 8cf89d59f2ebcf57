//! Random frames on the sockets of two players and a spectator.

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
struct GameSockets {
    id: String,
    sockets: [Option<Socket>; 3],
}

pub(super) async fn send(seed: u64, count: usize) {
    let mut generator = Generator::new(seed);
    let mut tracker = GameTracker::new(&mut generator).await;
    let address = listen(&tracker.server).await;
    let mut sockets_by_game: Vec<GameSockets> = Vec::new();
    for game in &tracker.games {
        sockets_by_game.push(GameSockets::new(&game.id));
    }
    let mut done = [0; 3];
    for number in 0..count {
        let index = generator.below(tracker.games.len());
        let game = &tracker.games[index];
        if sockets_by_game[index].id != game.id {
            sockets_by_game[index] = GameSockets::new(&game.id);
        }
        let client = generator.below(3);
        let slot = &mut sockets_by_game[index].sockets[client];
        let mut socket = match slot.take() {
            Some(socket) => socket,
            None => {
                let path = format!(
                    "/games/{}/socket{}",
                    game.id,
                    generator.pick(&["", "?html=1"])
                );
                open_socket(address, &tracker.clients[client], &path).await
            }
        };
        let (message, ends_socket) = frame(&mut generator, &game.observed.view["game"]);
        let context = format!("seed {seed}, frame {number}: {client} {message:.300?}");
        let outcome = send_and_query(&mut socket, message, number).await;
        assert_eq!(
            outcome.is_none(),
            ends_socket,
            "{context}: whether the socket ends"
        );
        let Some(rejection) = outcome else {
            tracker.assert_unchanged(index, &context).await;
            done[2] += 1;
            continue;
        };
        if !generator.one_in(50) {
            *slot = Some(socket);
        }
        match rejection {
            Some(error) => {
                assert_error_body(&error, &context);
                let kind = error["error"]["kind"].as_str().unwrap();
                assert!(
                    !["store", "internal", "busy"].contains(&kind),
                    "{context}: {error}"
                );
                tracker.assert_unchanged(index, &context).await;
                done[1] += 1;
            }
            None => {
                tracker.refresh(index, &mut generator).await;
                done[0] += 1;
            }
        }
    }
    assert!(done.iter().all(|&part| part > count / 100), "{done:?}");
}

impl GameSockets {
    fn new(id: &str) -> GameSockets {
        GameSockets {
            id: id.into(),
            sockets: [const { None }; 3],
        }
    }
}

/// A message, and whether it ends the socket.
fn frame(generator: &mut Generator, game: &Value) -> (Message, bool) {
    let mut action = generator.action(game);
    if generator.one_in(4) {
        let tags = [json!(7), json!("seven"), json!({}), json!("7".repeat(200))];
        action["tag"] = tags[generator.below(tags.len())].clone();
    }
    match generator.below(40) {
        0 => (Message::binary(action.to_string()), false),
        1 => (Message::Ping("ping".into()), false),
        2 => (Message::text(" ".repeat(17 << 10)), true),
        3..14 => {
            let bytes = generator.corrupt(&action);
            let ends_socket = std::str::from_utf8(&bytes).is_err();
            let frame = Frame::message(bytes, OpCode::Data(Data::Text), true);
            (Message::Frame(frame), ends_socket)
        }
        _ => (Message::text(action.to_string()), false),
    }
}

/// Sends a message and then a query, and reads until the query is answered. Returns `None` if the
/// socket has ended, otherwise the error response to the message, if any.
async fn send_and_query(
    socket: &mut Socket,
    message: Message,
    number: usize,
) -> Option<Option<Value>> {
    let last = format!("last {number}");
    // If the other end is gone, receiving fails.
    let _ = socket.send(message).await;
    let question = json!({"type": "view", "tag": last});
    let _ = socket.send(Message::text(question.to_string())).await;
    let mut rejection = None;
    loop {
        let text = match socket.next().await {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            _ => return None,
        };
        let frame: Value = serde_json::from_str(&text).unwrap();
        if frame["tag"] == last {
            return Some(rejection);
        }
        if frame["type"] == "error" {
            assert_eq!(rejection, None, "one message has one answer");
            rejection = Some(frame);
        } else {
            assert!(
                ["state", "update"].contains(&frame["type"].as_str().unwrap()),
                "{frame}"
            );
        }
    }
}
