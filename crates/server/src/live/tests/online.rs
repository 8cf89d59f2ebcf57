//! Two visitors playing each other, and spectators.

use serde_json::json;

use super::*;

#[tokio::test]
async fn a_friend_joins_by_invite_link() {
    let server = TestServer::new().await;
    let (ada, bob, eve) = (server.client(1), server.client(2), server.client(3));
    let created = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let id = game_id(&created);
    assert_eq!(created["game"]["o"]["kind"], "invited");
    let link = created["invite"].as_str().unwrap();
    assert!(
        link.starts_with(&format!("http://127.0.0.1:7272/join/{id}/")),
        "{link}"
    );
    assert_eq!(
        ada.game(&id).await["invite"],
        link,
        "who made it sees it again"
    );
    assert_eq!(
        eve.game(&id).await["invite"],
        json!(null),
        "and nobody else"
    );
    assert_eq!(
        ada.act_on_latest(&id, json!({"type": "move", "move": "b2"}))
            .await
            .0,
        422
    );
    assert_eq!(
        ada.join(&created, "Bob").await.0,
        422,
        "the link is for somebody else"
    );
    let wrong = json!({"code": "0".repeat(32), "name": "Eve"});
    assert_eq!(eve.post(&format!("/games/{id}/join"), &wrong).await.0, 403);
    assert_eq!(
        bob.join(&created, "ada").await.0,
        422,
        "that name is at the other side"
    );

    let (status, view) = bob.join(&created, "Bob").await;
    assert_eq!((status, &view["you"]), (200, &json!(["o"])), "{view}");
    assert_eq!(view["game"]["o"]["name"], "Bob");
    assert_eq!(view["game"]["handed_over"], false, "it counts");
    assert_eq!(view["invite"], json!(null));
    assert_eq!(
        bob.join(&created, "Bob").await.0,
        200,
        "he may not have heard it"
    );
    assert_eq!(eve.join(&created, "Eve").await.0, 422, "the seat is taken");
    assert_eq!(eve.game(&id).await["game"]["o"]["name"], "Bob");
}

#[tokio::test]
async fn only_the_side_to_move_can_move() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    let eve = server.client(3);
    let mv = json!({"type": "move", "move": "b2"});
    for (client, status) in [
        (&eve, 403),
        (&bob, 403),
        (&ada, 200),
        (&ada, 403),
        (&eve, 403),
    ] {
        let mv = json!({"type": "move", "move": if status == 200 { "b2" } else { "a1" }});
        let (found, response) = client.act_on_latest(&id, mv).await;
        assert_eq!(found, status, "{response}");
    }
    for action in [
        json!({"type": "resign"}),
        json!({"type": "takeback"}),
        json!({"type": "offer", "offer": "draw"}),
        json!({"type": "abandon"}),
        json!({"type": "seat", "side": "x", "seat": human_seat("Eve")}),
        mv,
    ] {
        let (status, response) = eve.act_on_latest(&id, action.clone()).await;
        assert_eq!(
            (status, &response["error"]["kind"]),
            (403, &json!("not-yours")),
            "{action}"
        );
    }
    let steal = json!({"type": "seat", "side": "x", "seat": bot_seat("random")});
    assert_eq!(bob.act_on_latest(&id, steal).await.0, 403);
    assert_eq!(
        bob.act_on_latest(&id, json!({"type": "resign", "side": "x"}))
            .await
            .0,
        403
    );
    assert_eq!(
        bob.act_on_latest(&id, json!({"type": "abandon"})).await.0,
        422
    );
    assert_eq!(ada.game(&id).await["game"]["moves"], json!(["b2"]));
}

#[tokio::test]
async fn a_takeback_needs_consent() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    assert_eq!(
        ada.act_on_latest(&id, json!({"type": "takeback"})).await.0,
        422,
        "nothing was made"
    );
    ada.play_move(&id, "b2").await;
    bob.play_move(&id, "a1").await;
    let view = ada.act_ok(&id, json!({"type": "takeback"})).await;
    assert_eq!(
        view["game"]["offer"],
        json!({"kind": "takeback", "by": "x"})
    );
    assert_eq!(view["game"]["ply"], 2, "nothing is taken back yet");
    assert_eq!(
        ada.act_on_latest(&id, json!({"type": "accept", "offer": "takeback"}))
            .await
            .0,
        422
    );
    bob.act_ok(&id, json!({"type": "decline"})).await;
    assert_eq!(
        bob.act_on_latest(&id, json!({"type": "accept", "offer": "takeback"}))
            .await
            .0,
        422
    );
    ada.act_ok(&id, json!({"type": "takeback"})).await;
    let view = bob
        .act_ok(&id, json!({"type": "accept", "offer": "takeback"}))
        .await;
    assert_eq!(
        view["game"]["moves"],
        json!([]),
        "back to her own last decision"
    );
    assert_eq!(view["game"]["offer"], json!(null));
    assert_eq!(bob.act_on_latest(&id, json!({"type": "redo"})).await.0, 422);
    // Moving declines the offer.
    ada.play_move(&id, "b2").await;
    ada.act_ok(&id, json!({"type": "takeback"})).await;
    let view = bob.play_move(&id, "c3").await;
    assert_eq!(view["game"]["offer"], json!(null));
}

#[tokio::test]
async fn a_draw_can_be_agreed() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    let offer = json!({"type": "offer", "offer": "draw"});
    ada.act_ok(&id, offer.clone()).await;
    let view = ada.play_move(&id, "b2").await;
    assert_eq!(
        view["game"]["offer"]["kind"], "draw",
        "it stands until he has moved"
    );
    let view = bob.play_move(&id, "a1").await;
    assert_eq!(view["game"]["offer"], json!(null));
    ada.act_ok(&id, offer.clone()).await;
    let view = bob.act_ok(&id, offer).await;
    assert_eq!(view["game"]["ending"], "agreed-draw");
    assert_eq!(view["game"]["x"]["tally"]["draws"], 1);
    let late = json!({"type": "accept", "offer": "draw", "rev": "2.1"});
    let (status, response) = bob.act(&id, &late).await;
    assert_eq!(status, 409, "{response}");
}

#[tokio::test]
async fn a_rematch_needs_both_players() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    let again = json!({"type": "offer", "offer": "rematch"});
    assert_eq!(
        ada.act_on_latest(&id, again.clone()).await.0,
        422,
        "it is not over"
    );
    ada.play_move(&id, "b2").await;
    let view = ada.act_ok(&id, json!({"type": "resign"})).await;
    assert_eq!(view["game"]["result"], "o");
    let view = ada.act_ok(&id, again).await;
    assert_eq!(view["game"]["rematch"], json!(null), "he was not asked yet");
    let view = bob
        .act_ok(&id, json!({"type": "accept", "offer": "rematch"}))
        .await;
    let next = view["game"]["rematch"].as_str().unwrap().to_owned();
    assert_eq!(
        bob.act_ok(&id, json!({"type": "accept", "offer": "rematch"}))
            .await["game"]["rematch"],
        next.as_str()
    );
    assert_eq!(bob.game(&next).await["you"], json!(["x"]));
    assert_eq!(ada.game(&next).await["you"], json!(["o"]));
    assert_eq!(
        ada.act_on_latest(&next, json!({"type": "move", "move": "b2"}))
            .await
            .0,
        403
    );
    assert_eq!(bob.play_move(&next, "b2").await["game"]["x"]["name"], "Bob");
}

#[tokio::test]
async fn games_are_independent() {
    let server = TestServer::new().await;
    let (ada, bob, one) = two_players(&server).await;
    let other = game_id(
        &ada.create_game("classic", human_seat("Cleo"), human_seat("Dan"))
            .await,
    );
    let (first, second) = tokio::join!(
        async {
            for (client, mv) in [(&ada, "a1"), (&bob, "b2"), (&ada, "c3")] {
                client.play_move(&one, mv).await;
            }
        },
        async {
            for mv in ["b2", "a1", "c1", "a3"] {
                ada.play_move(&other, mv).await;
            }
        },
    );
    let ((), ()) = (first, second);
    assert_eq!(
        ada.game(&one).await["game"]["moves"],
        json!(["a1", "b2", "c3"])
    );
    assert_eq!(
        bob.game(&other).await["game"]["moves"],
        json!(["b2", "a1", "c1", "a3"])
    );
}

/// Two messages about the same revision: one is first, the other is stale.
#[tokio::test]
async fn only_one_of_two_concurrent_moves_is_made() {
    let server = TestServer::new().await;
    let me = server.client(1);
    let id = game_id(
        &me.create_game("classic", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    let mv = |text| json!({"type": "move", "rev": "0.0", "move": text});
    let (a1, b2) = (mv("a1"), mv("b2"));
    let (one, other) = tokio::join!(me.act(&id, &a1), me.act(&id, &b2));
    let mut statuses = [one.0, other.0];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(me.game(&id).await["game"]["ply"], 1);
}

#[tokio::test]
async fn games_of_other_programs_are_read_only() {
    use noughts_session::{GameAction, Participant, Session};
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = Store::open(folder.path()).await.unwrap();
    let server = TestServer::with_store(Store::open(folder.path()).await.unwrap()).await;
    let seats = ["Ada", "Bob"].map(|name| Participant::Player(name.parse().unwrap()));
    let variant = noughts_rules::Variant::CLASSIC;
    let session = Session::start_from(
        &elsewhere,
        &noughts_rules::AnyGameState::new(variant),
        seats,
    )
    .await
    .unwrap();
    session
        .apply(&elsewhere, GameAction::Move("b2".into()))
        .await
        .unwrap();
    let stored = elsewhere.game(session.id()).await.unwrap().unwrap();
    let uid = stored.summary.uid;
    let me = server.client(1);
    let view = me.game(&uid).await;
    assert_eq!(
        (&view["you"], &view["game"]["moves"]),
        (&json!([]), &json!(["b2"]))
    );
    let (status, response) = me
        .act_on_latest(&uid, json!({"type": "move", "move": "a1"}))
        .await;
    assert_eq!(
        (status, &response["error"]["kind"]),
        (403, &json!("not-yours"))
    );
}

/// Accepting names the offer, since it may have been replaced in the meantime.
#[tokio::test]
async fn accepting_names_the_offer() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    ada.play_move(&id, "b2").await;
    bob.play_move(&id, "a1").await;
    ada.act_ok(&id, json!({"type": "takeback"})).await;
    let rev = bob.game(&id).await["game"]["rev"].clone();
    ada.act_ok(&id, json!({"type": "decline", "offer": "takeback"}))
        .await;
    ada.act_ok(&id, json!({"type": "offer", "offer": "draw"}))
        .await;
    let late = json!({"type": "accept", "offer": "takeback", "rev": rev});
    let (status, response) = bob.act(&id, &late).await;
    assert_eq!(status, 422, "{response}");
    assert_eq!(response["view"]["game"]["offer"]["kind"], "draw");
    assert_eq!(response["view"]["game"]["ending"], json!(null));
    let late = json!({"type": "decline", "offer": "takeback", "rev": rev});
    let (status, view) = bob.act(&id, &late).await;
    assert_eq!(
        (status, &view["game"]["offer"]["kind"]),
        (200, &json!("draw"))
    );
    let vague = json!({"type": "accept", "rev": rev});
    assert_eq!(bob.act(&id, &vague).await.0, 400);
}

/// Guards against "this offer is no longer open" about an offer that was never made.
#[tokio::test]
async fn only_an_open_offer_can_be_accepted() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    ada.play_move(&id, "b2").await;
    ada.act_ok(&id, json!({"type": "takeback"})).await;
    for kind in ["draw", "rematch"] {
        let accept = json!({"type": "accept", "offer": kind});
        let (status, response) = bob.act_on_latest(&id, accept).await;
        let expected = format!("there's no {kind} offer to accept");
        assert_eq!(
            (status, &response["error"]["message"]),
            (422, &json!(expected))
        );
    }
}

/// Guards against a picture that asked for a move, and choices that looked too many to list, after
/// the players ended the game.
#[tokio::test]
async fn a_game_ended_by_its_players_offers_no_moves() {
    let server = TestServer::new().await;
    let (ada, bob, resigned) = two_players(&server).await;
    ada.play_move(&resigned, "b2").await;
    bob.act_ok(&resigned, json!({"type": "resign"})).await;
    let draw = game_id(
        &ada.create_game("ultimate", human_seat("Ada"), human_seat("Bob"))
            .await,
    );
    ada.play_move(&draw, "ee").await;
    ada.act_ok(&draw, json!({"type": "offer", "offer": "draw"}))
        .await;
    for (id, prompt, open) in [
        (&resigned, "Ada (X) wins: Bob resigned.", json!(null)),
        (&draw, "Draw: the players agreed to a draw.", json!([])),
    ] {
        let game = &ada.game(id).await["game"];
        assert_eq!(game["prompt"], prompt);
        let choices = json!({"count": 0, "moves": [], "open": open, "pieces": [], "prompts": {}});
        assert_eq!(game["choices"], choices);
        let variant = game["variant"].as_str().unwrap();
        for (query, is_over) in [("", true), ("?ply=1", true), ("?ply=0", false)] {
            let picture = ada.get_text(&format!("/games/{id}/board.svg{query}")).await;
            let title = format!("<title id=\"title\">{variant}: {prompt}</title>");
            assert_eq!(picture.contains(&title), is_over, "{query}: {picture}");
            assert_eq!(picture.contains(": X to move: "), !is_over, "{query}");
        }
    }
}

/// The opponent's move isn't a repetition of one's own.
#[tokio::test]
async fn a_late_move_is_not_mistaken_for_the_opponents() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    let first = json!({"type": "move", "rev": "0.1", "move": "b2"});
    let (status, view) = ada.act(&id, &first).await;
    assert_eq!(status, 200, "{view}");
    assert_eq!(ada.act(&id, &first).await.0, 200, "hers again");
    let (status, response) = bob.act(&id, &first).await;
    assert_eq!((status, &response["error"]["kind"]), (409, &json!("stale")));
}

#[tokio::test]
async fn resigning_before_the_first_move_abandons_the_game() {
    let server = TestServer::new().await;
    let (ada, bob, id) = two_players(&server).await;
    let view = bob.act_ok(&id, json!({"type": "resign"})).await;
    assert_eq!(view["game"]["ending"], "abandoned");
    assert_eq!(view["game"]["result"], json!(null));
    let (_, games) = ada.get("/games").await;
    assert_eq!(games["games"], json!([]));
    assert_eq!(ada.get("/players").await.1["players"], json!([]));
}

#[tokio::test]
async fn games_without_a_move_are_not_listed() {
    let server = TestServer::new().await;
    let (ada, _, id) = two_players(&server).await;
    assert_eq!(ada.get("/games").await.1["games"], json!([]));
    assert_eq!(ada.get("/players").await.1["players"], json!([]));
    ada.play_move(&id, "b2").await;
    let (_, games) = ada.get("/games").await;
    assert_eq!(games["games"].as_array().map(Vec::len), Some(1));
    let (_, players) = ada.get("/players").await;
    assert_eq!(players["players"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn refusals_include_the_view() {
    let server = TestServer::new().await;
    let (ada, _, id) = two_players(&server).await;
    let wrong = json!({"type": "move", "move": "z9"});
    let (status, response) = ada.act_on_latest(&id, wrong).await;
    assert_eq!((status, &response["view"]["game"]["ply"]), (422, &json!(0)));
    let created = server
        .client(3)
        .create_game("classic", human_seat("Cem"), invite_seat())
        .await;
    let mut taken = created.clone();
    taken["game"]["id"] = json!(id);
    let (status, response) = server.client(4).join(&taken, "Dan").await;
    assert_eq!((status, &response["view"]["game"]["ply"]), (422, &json!(0)));
}

/// Guards against voiding the opponent's win: a hint made the whole game unrated.
#[tokio::test]
async fn help_is_refused_against_another_player() {
    let server = TestServer::new().await;
    let (ada, bob, game) = two_players(&server).await;
    ada.play_move(&game, "b2").await;
    bob.play_move(&game, "a1").await;
    let now = json!({"variant": "classic", "moves": ["b2", "a1"]});
    let later = json!({"variant": "classic", "moves": ["b2", "a1", "c1"], "time_ms": 50});
    let placed = json!({"variant": "classic", "position": "o../.x./... x"});
    let review = format!("/games/{game}/review");
    for client in [&ada, &bob] {
        for (path, body) in [
            ("/hints", &now),
            ("/hints", &placed),
            ("/analyses", &now),
            ("/analyses", &later),
        ] {
            let (status, response) = client.post(path, body).await;
            assert_eq!(status, 422, "{path}: {response}");
            let message = response["error"]["message"].as_str().unwrap();
            assert!(message.contains("until the game is over"), "{message}");
        }
        assert_eq!(client.get(&review).await.0, 422);
    }
    // Spectators can analyze it, and so can both players once it's over.
    let eve = server.client(3);
    assert_eq!(eve.post("/hints", &now).await.0, 200);
    assert_eq!(eve.get(&review).await.0, 200);
    let view = ada.game(&game).await;
    assert_eq!(view["game"]["rated"], true, "{view}");
    ada.act_ok(&game, json!({"type": "resign"})).await;
    assert_eq!(bob.post("/hints", &now).await.0, 200);
    assert_eq!(bob.get(&review).await.0, 200);
    assert_eq!(bob.game(&game).await["game"]["rated"], true);
}

/// A game that waits for a friend isn't being played yet.
#[tokio::test]
async fn an_open_invitation_does_not_forbid_analysis() {
    let server = TestServer::new().await;
    let ada = server.client(1);
    let game = game_id(
        &ada.create_game("classic", human_seat("Ada"), invite_seat())
            .await,
    );
    let start = json!({"variant": "classic", "time_ms": 50});
    assert_eq!(ada.post("/analyses", &start).await.0, 200);
    assert_eq!(ada.game(&game).await["game"]["rated"], true);
}
