//! Who may use a server: what one program writes, another reads.

use noughts_rules::Variant;

use crate::{
    AccessCursor, BanTarget, GameId, Name, NewGame, NewOnlineGame, Seat, Store, StoreError,
    VisitorId,
};

fn person(name: &str) -> Seat {
    Seat::Player(Name::new(name).expect("a name"))
}

async fn claimed(store: &Store, seats: [Seat; 2]) -> (GameId, String) {
    let new = NewOnlineGame {
        uid: Store::new_uid().expect("random"),
        game: NewGame {
            variant: Variant::CLASSIC,
            start: None,
            seats,
        },
        visitors: [Some([1; 32]), None],
        invites: [None; 2],
        rematch_of: None,
    };
    let id = store.create_online_game(&new).await.expect("begun");
    (id, new.uid)
}

#[tokio::test]
async fn a_key_is_made_once_for_all_programs() {
    let dir = tempfile::tempdir().expect("a folder");
    let one = Store::open(dir.path()).await.expect("opens");
    let other = Store::open(dir.path()).await.expect("opens");
    let (first, second) = tokio::join!(one.server_key("tokens"), other.server_key("tokens"));
    let key = first.expect("a key");
    assert_eq!(second.expect("a key"), key);
    assert_eq!(other.server_key("tokens").await.expect("a key"), key);
    assert_ne!(other.server_key("other").await.expect("a key"), key);
}

#[tokio::test]
async fn another_program_sees_every_change_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let server = Store::open(dir.path()).await.expect("opens");
    let operator = Store::open(dir.path()).await.expect("opens");
    let visitor = VisitorId::from_hash(&[7; 32]);
    let network: BanTarget = "203.0.113.0/24".parse().expect("a network");

    let news = server.access_changes_since(AccessCursor::default()).await;
    let news = news.expect("read");
    assert_eq!(
        (news.bans, news.ended_sessions.len()),
        (None, 0),
        "nothing yet"
    );
    let mut marks = news.cursor;

    assert!(operator.ban(network, Some("spam")).await.expect("banned"));
    assert!(operator.end_session(visitor).await.expect("ended"));
    let news = server.access_changes_since(marks).await.expect("read");
    let bans = news.bans.expect("a ban");
    assert_eq!(bans[0].target, network);
    assert_eq!(bans[0].reason.as_deref(), Some("spam"));
    assert_eq!(news.ended_sessions, [visitor]);
    marks = news.cursor;
    let news = server.access_changes_since(marks).await.expect("read");
    assert_eq!(
        (news.bans, news.ended_sessions.len()),
        (None, 0),
        "nothing new"
    );

    // One goes and another comes: their number is the same.
    assert!(operator.unban(network).await.expect("lifted"));
    assert!(!operator.unban(network).await.expect("lifted"), "only once");
    let banned = BanTarget::Visitor(visitor);
    operator.ban(banned, None).await.expect("banned");
    assert!(!operator.ban(banned, None).await.expect("banned"), "again");
    assert!(!operator.end_session(visitor).await.expect("ended"));
    let news = server.access_changes_since(marks).await.expect("read");
    let bans = news.bans.expect("other bans");
    assert_eq!(bans.len(), 1);
    assert_eq!(bans[0].target, banned);
    assert!(news.ended_sessions.is_empty());
    assert_eq!(operator.bans().await.expect("read"), bans);
}

#[test]
fn a_ban_covers_a_visitor_or_a_network() {
    let visitor = VisitorId::from_hash(&[7; 32]);
    let other = VisitorId::from_hash(&[8; 32]);
    for (target, who, address, covered) in [
        ("203.0.113.0/24", visitor, "203.0.113.9", true),
        ("203.0.113.0/24", visitor, "203.0.114.9", false),
        ("203.0.113.0/24", visitor, "::ffff:203.0.113.9", true),
        ("203.0.113.0/24", visitor, "2001:db8::", false),
        ("2001:db8::1", visitor, "2001:db8::", true),
        ("2001:db8::/48", visitor, "2001:db8:0:9::", true),
        ("2001:db8::/48", visitor, "2001:db8:1::", false),
        ("0707070707070707", visitor, "203.0.113.9", true),
        ("0707070707070707", other, "203.0.113.9", false),
    ] {
        let target: BanTarget = target.parse().expect("a target");
        let address = address.parse().expect("an address");
        assert_eq!(target.covers(who, address), covered, "{target} {address}");
    }
    for text in [
        "",
        "Ada",
        "1.2.3",
        "1.2.3.4/33",
        "::/0",
        "0.0.0.0/0",
        "07",
        "1.2.3.4 ",
    ] {
        assert!(text.parse::<BanTarget>().is_err(), "{text}");
    }
}

/// A server holds the games of its visitors, and lets go of them when they are deleted.
#[tokio::test]
async fn what_a_server_plays_can_be_deleted_and_it_learns_of_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let server = Store::open(dir.path()).await.expect("opens");
    let operator = Store::open(dir.path()).await.expect("opens");
    let bot = Seat::Bot("easy".into());
    let (first, first_uid) = claimed(&server, [person("Ada"), bot.clone()]).await;
    let (second, second_uid) = claimed(&server, [person("Ada"), person("Bob")]).await;

    operator.delete_game(first).await.expect("deleted");
    assert_eq!(server.game(first).await.expect("read"), None);
    let again = operator.delete_game(first).await;
    assert!(matches!(again, Err(StoreError::NoSuchGame(_))), "{again:?}");
    let news = server.access_changes_since(AccessCursor::default()).await;
    let news = news.expect("read");
    assert_eq!(news.stale_games, [first_uid]);

    let ada = Name::new("Ada").expect("a name");
    operator.delete_player(&ada).await.expect("deleted");
    let news = server
        .access_changes_since(news.cursor)
        .await
        .expect("read");
    assert_eq!(news.stale_games, [second_uid]);
    let seats = server
        .game(second)
        .await
        .expect("read")
        .expect("kept")
        .seats;
    assert_eq!(seats, [Seat::Deleted, person("Bob")]);

    // A terminal isn't asked, and keeps its game.
    let local = NewGame {
        variant: Variant::CLASSIC,
        start: None,
        seats: [person("Cem"), bot],
    };
    let local = server.create_game(&local).await.expect("begun");
    let refused = operator.delete_game(local).await;
    assert!(
        matches!(refused, Err(StoreError::Conflict { .. })),
        "{refused:?}"
    );
    let cem = Name::new("Cem").expect("a name");
    let refused = operator.delete_player(&cem).await;
    assert!(
        matches!(refused, Err(StoreError::PlayerInGame(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn the_game_before_a_deleted_one_can_be_followed_again() {
    let store = Store::in_memory().await.expect("opens");
    let seats = || [person("Ada"), Seat::Bot("easy".into())];
    let (first, _) = claimed(&store, seats()).await;
    let after = |after| NewOnlineGame {
        uid: Store::new_uid().expect("random"),
        game: NewGame {
            variant: Variant::CLASSIC,
            start: None,
            seats: seats(),
        },
        visitors: [Some([1; 32]), None],
        invites: [None; 2],
        rematch_of: Some(after),
    };
    let next = store
        .create_online_game(&after(first))
        .await
        .expect("begun");
    store.delete_game(next).await.expect("deleted");
    store
        .create_online_game(&after(first))
        .await
        .expect("begun");
}

/// Guards ended sessions that stayed in the store for ever.
#[tokio::test]
async fn ended_sessions_are_forgotten_once_their_tokens_have_expired() {
    let store = Store::in_memory().await.expect("opens");
    let (old, new) = (
        VisitorId::from_hash(&[7; 32]),
        VisitorId::from_hash(&[8; 32]),
    );
    for visitor in [old, new] {
        store.end_session(visitor).await.expect("ended");
    }
    sqlx::query("UPDATE ended_sessions SET ended = 1000 WHERE visitor = $1")
        .bind(old.to_string())
        .execute(store.write_pool())
        .await
        .expect("written");
    let before = crate::Timestamp::from_millis(1001);
    let gone = store.delete_ended_sessions(before).await;
    assert_eq!(gone.expect("forgotten"), 1);
    let gone = store.delete_ended_sessions(before).await;
    assert_eq!(gone.expect("forgotten"), 0);
    let news = store.access_changes_since(AccessCursor::default()).await;
    let news = news.expect("read");
    assert_eq!(news.ended_sessions, [new]);
    // Numbers are never given again, so a server that has read this far reads what comes.
    let next = VisitorId::from_hash(&[9; 32]);
    let before = crate::Timestamp::from_millis(i64::MAX);
    store
        .delete_ended_sessions(before)
        .await
        .expect("forgotten");
    store.end_session(next).await.expect("ended");
    let news = store.access_changes_since(news.cursor).await.expect("read");
    assert_eq!(news.ended_sessions, [next]);
}
