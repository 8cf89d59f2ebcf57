//! Access control: one process writes it, another reads it.

use noughts_rules::Variant;

use crate::{
    AccessChangeCursor, BanTarget, GameId, Name, NewGame, NewOnlineGame, Seat, Store, StoreError,
    VisitorId,
};

fn player(name: &str) -> Seat {
    Seat::Player(Name::new(name).expect("a name"))
}

async fn online_game(store: &Store, seats: [Seat; 2]) -> (GameId, String) {
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
    let id = store.create_online_game(&new).await.expect("created");
    (id, new.uid)
}

#[tokio::test]
async fn server_keys_are_created_once_for_all_processes() {
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
async fn another_process_sees_every_change_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let server = Store::open(dir.path()).await.expect("opens");
    let operator = Store::open(dir.path()).await.expect("opens");
    let visitor = VisitorId::from_hash(&[7; 32]);
    let network: BanTarget = "203.0.113.0/24".parse().expect("a network");

    let changes = server
        .access_changes_since(AccessChangeCursor::default())
        .await;
    let changes = changes.expect("read");
    assert_eq!(
        (changes.bans, changes.ended_sessions.len()),
        (None, 0),
        "nothing yet"
    );
    let mut cursor = changes.cursor;

    assert!(operator.ban(network, Some("spam")).await.expect("banned"));
    assert!(operator.end_session(visitor).await.expect("ended"));
    let changes = server.access_changes_since(cursor).await.expect("read");
    let bans = changes.bans.expect("a ban");
    assert_eq!(bans[0].target, network);
    assert_eq!(bans[0].reason.as_deref(), Some("spam"));
    assert_eq!(changes.ended_sessions, [visitor]);
    cursor = changes.cursor;
    let changes = server.access_changes_since(cursor).await.expect("read");
    assert_eq!(
        (changes.bans, changes.ended_sessions.len()),
        (None, 0),
        "nothing new"
    );

    // One ban is removed and another added: the count stays the same.
    assert!(operator.unban(network).await.expect("lifted"));
    assert!(!operator.unban(network).await.expect("lifted"), "only once");
    let banned = BanTarget::Visitor(visitor);
    operator.ban(banned, None).await.expect("banned");
    assert!(!operator.ban(banned, None).await.expect("banned"), "again");
    assert!(!operator.end_session(visitor).await.expect("ended"));
    let changes = server.access_changes_since(cursor).await.expect("read");
    let bans = changes.bans.expect("other bans");
    assert_eq!(bans.len(), 1);
    assert_eq!(bans[0].target, banned);
    assert!(changes.ended_sessions.is_empty());
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

/// A server holds the games of its visitors, and drops them when they are deleted.
#[tokio::test]
async fn a_server_is_told_about_its_deleted_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let server = Store::open(dir.path()).await.expect("opens");
    let operator = Store::open(dir.path()).await.expect("opens");
    let bot = Seat::Bot("easy".into());
    let (first, first_uid) = online_game(&server, [player("Ada"), bot.clone()]).await;
    let (second, second_uid) = online_game(&server, [player("Ada"), player("Bob")]).await;

    operator.delete_game(first).await.expect("deleted");
    assert_eq!(server.game(first).await.expect("read"), None);
    let again = operator.delete_game(first).await;
    assert!(matches!(again, Err(StoreError::NoSuchGame(_))), "{again:?}");
    let changes = server
        .access_changes_since(AccessChangeCursor::default())
        .await;
    let changes = changes.expect("read");
    assert_eq!(changes.stale_games, [first_uid]);

    let ada = Name::new("Ada").expect("a name");
    operator.delete_player(&ada).await.expect("deleted");
    let changes = server
        .access_changes_since(changes.cursor)
        .await
        .expect("read");
    assert_eq!(changes.stale_games, [second_uid]);
    let seats = server
        .game(second)
        .await
        .expect("read")
        .expect("saved")
        .summary
        .seats;
    assert_eq!(seats, [Seat::Deleted, player("Bob")]);

    // A terminal isn't notified, so it keeps its game.
    let local = NewGame {
        variant: Variant::CLASSIC,
        start: None,
        seats: [player("Cem"), bot],
    };
    let local = server.create_game(&local).await.expect("created");
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
async fn deleting_a_rematch_allows_another_one() {
    let store = Store::in_memory().await.expect("opens");
    let seats = || [player("Ada"), Seat::Bot("easy".into())];
    let (first, _) = online_game(&store, seats()).await;
    let rematch_of = |game| NewOnlineGame {
        uid: Store::new_uid().expect("random"),
        game: NewGame {
            variant: Variant::CLASSIC,
            start: None,
            seats: seats(),
        },
        visitors: [Some([1; 32]), None],
        invites: [None; 2],
        rematch_of: Some(game),
    };
    let rematch = store
        .create_online_game(&rematch_of(first))
        .await
        .expect("created");
    store.delete_game(rematch).await.expect("deleted");
    store
        .create_online_game(&rematch_of(first))
        .await
        .expect("created");
}

/// Regression test: ended sessions stayed in the store forever.
#[tokio::test]
async fn expired_ended_sessions_are_deleted() {
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
    let deleted = store.delete_ended_sessions(before).await;
    assert_eq!(deleted.expect("deleted"), 1);
    let deleted = store.delete_ended_sessions(before).await;
    assert_eq!(deleted.expect("deleted"), 0);
    let changes = store
        .access_changes_since(AccessChangeCursor::default())
        .await;
    let changes = changes.expect("read");
    assert_eq!(changes.ended_sessions, [new]);
    // IDs are never reused, so a server that has read this far also reads what follows.
    let next = VisitorId::from_hash(&[9; 32]);
    let before = crate::Timestamp::from_millis(i64::MAX);
    store.delete_ended_sessions(before).await.expect("deleted");
    store.end_session(next).await.expect("ended");
    let changes = store
        .access_changes_since(changes.cursor)
        .await
        .expect("read");
    assert_eq!(changes.ended_sessions, [next]);
}
