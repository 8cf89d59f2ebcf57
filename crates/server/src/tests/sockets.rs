//! How a WebSocket ends, and how much may be sent on one.

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

/// Reads until the server's Close; none where the connection ends without one, which
/// browsers report as 1006.
async fn closed(socket: &mut Socket) -> Option<CloseFrame> {
    let closed = async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(frame))) => return frame,
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    };
    let closed = timeout(Duration::from_secs(60), closed).await;
    closed.expect("it ends in time")
}

async fn opened(house: &TestServer) -> Socket {
    let address = listen(house).await;
    let ada = house.client(1);
    let view = ada
        .create_game("classic", human_seat("Ada"), bot_seat("easy"))
        .await;
    let mut socket = open_socket(address, &ada, &format!("/games/{}/socket", game_id(&view))).await;
    receive(&mut socket).await;
    socket
}

/// The server once cut the connection, and clients saw an abnormal end (1006).
#[tokio::test]
async fn a_close_is_answered_with_its_code() {
    let house = TestServer::new().await;
    for code in [CloseCode::Normal, CloseCode::Away] {
        let mut socket = opened(&house).await;
        let frame = CloseFrame {
            code,
            reason: "".into(),
        };
        let sent = socket.send(Message::Close(Some(frame))).await;
        sent.unwrap();
        let answer = closed(&mut socket).await.expect("an answer");
        assert_eq!(answer.code, code);
        assert!(socket.next().await.is_none(), "the connection ends");
    }
}

#[tokio::test]
async fn whatever_ends_a_socket_is_told_by_its_code() {
    let house = TestServer::new().await;
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
        let mut socket = opened(&house).await;
        socket.send(sent).await.unwrap();
        let frame = closed(&mut socket).await.expect("a Close");
        assert_eq!(frame.code, code, "{frame:?}");
    }
    let mut socket = opened(&house).await;
    house.app.shutdown.start();
    let frame = closed(&mut socket).await.expect("a Close");
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
    let house = TestServer::with_config(few_messages).await;
    let mut socket = opened(&house).await;
    for kind in ["bad-request", "bad-request", "bad-request", "too-many"] {
        socket.send(Message::binary("binary")).await.unwrap();
        assert_eq!(receive(&mut socket).await["error"]["kind"], kind);
    }
    send(&mut socket, json!({"do": "look"})).await;
    assert_eq!(receive(&mut socket).await["error"]["kind"], "too-many");
}

/// A ping has no answer that could refuse it, so too many of them end the socket.
#[tokio::test]
async fn pings_are_counted() {
    for ping in [Message::Ping("".into()), Message::Pong("".into())] {
        let house = TestServer::with_config(few_messages).await;
        let mut socket = opened(&house).await;
        for _ in 0..4 {
            // The socket may end before the last one.
            let _ = socket.send(ping.clone()).await;
        }
        let frame = closed(&mut socket).await.expect("a Close");
        assert_eq!(frame.code, CloseCode::Policy);
    }
}
