//! How a WebSocket ends, and how many messages may be sent on one.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

use super::test_server::*;
use crate::config::{Config, RateLimit};

/// Reads until the server's Close; `None` if the connection ends without one, which browsers report
/// as 1006.
async fn read_close(socket: &mut Socket) -> Option<CloseFrame> {
    let read_close = async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(frame))) => return frame,
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    };
    let read_close = timeout(Duration::from_secs(60), read_close).await;
    read_close.expect("it ends in time")
}

async fn open_game_socket(server: &TestServer) -> Socket {
    let address = listen(server).await;
    let ada = server.client(1);
    let view = ada
        .create_game("classic", human_seat("Ada"), bot_seat("easy"))
        .await;
    let mut socket = open_socket(address, &ada, &format!("/games/{}/socket", game_id(&view))).await;
    receive(&mut socket).await;
    socket
}

/// Guards against cutting the connection, which clients saw as an abnormal end (1006).
#[tokio::test]
async fn a_close_is_answered_with_the_same_code() {
    let server = TestServer::new().await;
    for code in [CloseCode::Normal, CloseCode::Away] {
        let mut socket = open_game_socket(&server).await;
        let frame = CloseFrame {
            code,
            reason: "".into(),
        };
        let sent = socket.send(Message::Close(Some(frame))).await;
        sent.unwrap();
        let answer = read_close(&mut socket).await.expect("an answer");
        assert_eq!(answer.code, code);
        assert!(socket.next().await.is_none(), "the connection ends");
    }
}

#[tokio::test]
async fn the_close_code_says_why_a_socket_ends() {
    let server = TestServer::new().await;
    let text =
        |bytes: Vec<u8>| Message::Frame(Frame::message(bytes, OpCode::Data(Data::Text), true));
    for (sent, code) in [
        (text(vec![0xff]), CloseCode::Invalid),
        (
            Message::Frame(Frame::message("", OpCode::Data(Data::Continue), true)),
            CloseCode::Protocol,
        ),
        (text(vec![b' '; 17 << 10]), CloseCode::Size),
    ] {
        let mut socket = open_game_socket(&server).await;
        socket.send(sent).await.unwrap();
        let frame = read_close(&mut socket).await.expect("a Close");
        assert_eq!(frame.code, code, "{frame:?}");
    }
    let mut socket = open_game_socket(&server).await;
    server.app.shutdown.cancel();
    let frame = read_close(&mut socket).await.expect("a Close");
    assert_eq!(frame.code, CloseCode::Restart);
}

fn few_messages(config: &mut Config) {
    config.limits.messages = RateLimit {
        burst: 3,
        interval: Duration::from_secs(3600),
    };
}

#[tokio::test]
async fn binary_messages_are_counted() {
    let server = TestServer::with_config(few_messages).await;
    let mut socket = open_game_socket(&server).await;
    for kind in ["bad-request", "bad-request", "bad-request", "too-many"] {
        socket.send(Message::binary("binary")).await.unwrap();
        assert_eq!(receive(&mut socket).await["error"]["kind"], kind);
    }
    send(&mut socket, json!({"type": "view"})).await;
    assert_eq!(receive(&mut socket).await["error"]["kind"], "too-many");
}

/// A ping has no response that could reject it, so too many of them end the socket.
#[tokio::test]
async fn pings_are_counted() {
    for ping in [Message::Ping("".into()), Message::Pong("".into())] {
        let server = TestServer::with_config(few_messages).await;
        let mut socket = open_game_socket(&server).await;
        for _ in 0..4 {
            // The socket may end before the last one.
            let _ = socket.send(ping.clone()).await;
        }
        let frame = read_close(&mut socket).await.expect("a Close");
        assert_eq!(frame.code, CloseCode::Policy);
    }
}
