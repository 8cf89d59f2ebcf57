//! The HTML page: one self-contained file that loads nothing.

use std::fmt::Display;

use maud::{Markup, PreEscaped, html};
use noughts_rules::{Outcome, Side, VariantError};
use noughts_view::{ReplayBoard, replay_board};

use super::data::replay_json;
use super::times::{MoveTimes, SlowMove, duration_text, move_times};
use super::{TournamentReport, bot_name, in_plan_order, plots};
use crate::plan::{Format, Openings, Plan, Scoring};
use crate::played_game::{EndReason, PlayedGame};
use crate::spec::{BotSource, BotSpec, Protocol};
use crate::standings::{FormattedNumber, Standings};
use crate::statistics::{EloEstimate, Pentanomial, Results};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The number of slowest moves listed.
const SLOWEST_MOVES: usize = 12;

/// Nothing outside the page is loaded.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
     base-uri 'none'; form-action 'none'";

/// Renders the report as a self-contained page. Its script contains no rules.
///
/// # Errors
/// The plan's game isn't one that this program has.
pub fn render_html(report: &TournamentReport<'_>) -> Result<String, VariantError> {
    let plan = report.plan;
    let games = in_plan_order(report.games);
    let results = Results::from_games(plan, games.iter().copied());
    let standings = Standings::new(plan, &results);
    let (times, slow) = move_times(plan, &games, SLOWEST_MOVES);
    let mut board = replay_board(plan.variant.parse()?);
    let data = replay_json(plan, &games, &mut board);
    let page = html! {
        (PreEscaped("<!doctype html>"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(CONTENT_POLICY);
                title { (report.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a class="skip" href="#main" { "Skip to results" }
                (header(plan))
                main id="main" tabindex="-1" {
                    (summary(report, &games, &standings))
                    (section("result", "Result", &result_text(&standings)))
                    (section("standings", "Standings", &standings_table(&standings)))
                    @if standings.rows.len() > 2 {
                        (section("cross", "Crosstable", &crosstable(&standings)))
                    }
                    (section("ratings", "Ratings", &ratings(&standings)))
                    @if let Some(state) = &standings.sprt {
                        (section("sprt", "Sequential test", &html! {
                            figure class="wide" tabindex="0" role="region" aria-label="Plot of the sequential test" {
                                (plots::llr_plot(state))
                            }
                            p class="soft" {
                                "Is " (bot_name(plan, 0)) " better than " (bot_name(plan, 1)) " by " (state.sprt.elo1)
                                " rather than " (state.sprt.elo0) " normalized Elo? The answer “yes” is wrong in at most "
                                (percent_text(state.sprt.alpha)) "% of tests, “no” in at most "
                                (percent_text(state.sprt.beta)) "%."
                            }
                        }))
                    }
                    (section("endings", "How games ended", &endings(plan, &games)))
                    (section("times", "Time per move", &time_tables(plan, &games, &times, &slow)))
                    (section("games", "Games", &viewer(&board)))
                    (section("plan", "Plan", &plan_facts(plan)))
                }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string())
}

fn percent_text(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    text.trim_end_matches('0').trim_end_matches('.').into()
}

fn section(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (content)
        }
    }
}

/// The logo of the other pages, and the navigation.
fn header(plan: &Plan) -> Markup {
    let parts = [
        ("result", "Result", true),
        ("standings", "Standings", true),
        ("cross", "Crosstable", plan.bots.len() > 2),
        ("sprt", "Test", plan.sprt.is_some()),
        ("endings", "Endings", true),
        ("times", "Time", true),
        ("games", "Games", true),
        ("plan", "Plan", true),
    ];
    html! {
        header class="top" {
            span class="word" {
                svg class="word-mark" viewBox="0 0 44 24" aria-hidden="true" {
                    path class="x" d="M4 4 20 20M20 4 4 20" {}
                    circle class="o" cx="33" cy="12" r="8.5" {}
                }
                "noughts arena"
            }
            nav aria-label="Sections" {
                @for (id, title, _) in parts.iter().filter(|(_, _, shown)| *shown) {
                    a href={ "#" (id) } { (title) }
                }
            }
            button type="button" class="theme" id="theme" hidden { "Use dark theme" }
        }
    }
}

fn summary(report: &TournamentReport<'_>, games: &[&PlayedGame], standings: &Standings) -> Markup {
    let share = |outcome: Outcome| {
        let count = games.iter().filter(|game| game.outcome == outcome).count();
        html! { (count) " " small { (share_text(count, games.len())) } }
    };
    let plies: usize = games.iter().map(|game| game.state.ply()).sum();
    let facts = [
        ("Games", html! { (games.len()) }),
        ("X won", share(Outcome::Win(Side::X))),
        ("Draws", share(Outcome::Draw)),
        ("O won", share(Outcome::Win(Side::O))),
        (
            "Moves per game",
            html! { (number(plies as f64 / games.len() as f64)) },
        ),
    ];
    html! {
        div class="headline" {
            h1 { (report.title) }
            p class="soft" {
                code { (report.plan.variant) } " · " (standings.conditions)
                @if let Some(created) = report.created { " · " (created) }
            }
        }
        p class="verdict" { (standings.conclusion()) }
        dl class="facts" {
            @for (term, value) in facts { div { dt { (term) } dd { (value) } } }
        }
        @if standings.aside > 0 {
            p class="soft aside" {
                (noughts_text::plural(standings.aside, "game")) " " (noughts_text::is_or_are(standings.aside)) "n't counted"
                " below: only complete pairs count, in plan order, up to the point where a test is decided."
            }
        }
    }
}

fn share_text(count: usize, all: usize) -> String {
    percent(count as f64 / all as f64)
}

/// With one decimal; a dash for what can't be computed.
fn percent(share: f64) -> String {
    match share.is_nan() {
        true => "–".into(),
        false => format!("{:.1}%", 100.0 * share),
    }
}

/// With one decimal and a minus sign; a dash for what can't be computed.
fn number(value: f64) -> String {
    match value.is_finite() {
        true => format!("{:.1}", FormattedNumber(value)).replace('-', "−"),
        false => "–".into(),
    }
}

fn result_text(standings: &Standings) -> Markup {
    let is_empty = standings.rows.iter().all(|row| row.tally.games() == 0);
    let text = if standings.rows.len() == 2 || is_empty {
        standings.text()
    } else {
        standings.standings_table() + &standings.sprt_lines() + &standings.faults_text()
    };
    html! { pre class="block" tabindex="0" role="region" aria-label="Result as text" { (text) } }
}

/// A table that scrolls if it is wider than the screen. Columns that start with `#` are numbers.
fn table(label: &str, columns: &[&str], rows: &Markup) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label={ (label) ": table" } {
            table {
                thead {
                    tr {
                        @for column in columns {
                            @let name = column.trim_start_matches('#');
                            th scope="col" class=[(name != *column).then_some("n")] { (name) }
                        }
                    }
                }
                tbody { (rows) }
            }
        }
    }
}

/// A cell with a number.
fn cell(value: impl Display) -> Markup {
    html! { td class="n" { (value.to_string()) } }
}

fn standings_table(standings: &Standings) -> Markup {
    let has_penalty = standings.scoring == Scoring::Penalty;
    let has_faults = standings.rows.iter().any(|row| row.faults.total() > 0);
    let mut columns = vec!["#Rank", "Name"];
    if has_penalty {
        columns.extend(["#Penalty", "#Per game"]);
    }
    columns.extend([
        "#Elo",
        "#nElo",
        "#LOS",
        "#Games",
        "#Won",
        "#Drawn",
        "#Lost",
        "#Points",
        "#Score",
        "#Even pairs",
        "#Pairs 0–2",
    ]);
    if has_faults {
        columns.extend([
            "#Timeouts",
            "#Crashes",
            "#Illegal moves",
            "#Protocol errors",
        ]);
    }
    let rows = html! {
        @for row in &standings.rows {
            @let (e, tally, faults) = (&row.estimate, &row.tally, &row.faults);
            tr {
                (cell(row.rank))
                th scope="row" { (row.name) }
                @if has_penalty {
                    (cell(row.penalty))
                    (cell(match row.tally.games() {
                        0 => "–".to_owned(),
                        _ => format!("{:.2}", row.penalty_per_game()),
                    }))
                }
                td class="n" { (elo(e)) }
                td class="n" { (plus_minus(e.nelo, e.nelo_error)) }
                (cell(percent(e.los)))
                @for count in [tally.games(), tally.wins, tally.draws, tally.losses] { (cell(count)) }
                (cell(format!("{:.1}", row.points)))
                (cell(percent(row.points / tally.games() as f64)))
                (cell(percent(e.draw_ratio)))
                (cell(tally.distinct_pairs().map(|count| count.to_string()).join(" ")))
                @if has_faults {
                    @for count in [faults.late, faults.crashed, faults.illegal, faults.protocol] { (cell(count)) }
                }
            }
        }
    };
    html! {
        (table("Standings", &columns, &rows))
        p class="soft" {
            @match standings.scoring {
                Scoring::Points => {
                    "Elo and nElo have 95% intervals and come from game pairs with sides swapped. LOS is the likelihood \
                     of superiority. Pairs 0–2 counts pairs by points: two losses, a loss and a draw, even, a win and a \
                     draw, two wins."
                }
                Scoring::Penalty => {
                    "Sorted by penalty per game: 0 for a win, 1 for a draw, 3 for a loss; lower is better. Elo and nElo \
                     have 95% intervals."
                }
            }
        }
    }
}

/// The Elo difference with its error, or with the one finite bound of its interval.
fn elo(e: &EloEstimate) -> Markup {
    let Some((words, _, bound)) = e.one_sided_bound() else {
        return plus_minus(e.elo, e.elo_error);
    };
    html! {
        @if e.elo.is_finite() {
            (number(e.elo)) " " span class="soft" { "(" (words) " " (number(bound)) ")" }
        } @else {
            span class="soft" { (words) " " (number(bound)) }
        }
    }
}

/// A number and its error, if it has one.
fn plus_minus(value: f64, error: f64) -> Markup {
    html! {
        (number(value))
        @if value.is_finite() && error.is_finite() { " " span class="soft" { "± " (number(error)) } }
    }
}

/// The crosstable as a heat map: blue above one half, orange below.
fn crosstable(standings: &Standings) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Crosstable" {
            table class="cross" {
                thead {
                    tr {
                        th scope="col" { "Row against column" }
                        @for (i, row) in (1..).zip(&standings.rows) {
                            th scope="col" class="n" {
                                span class="unseen" { (row.name) }
                                span aria-hidden="true" title=(row.name) { (i) }
                            }
                        }
                    }
                }
                tbody {
                    @for (i, (row, cells)) in standings.rows.iter().zip(&standings.cross).enumerate() {
                        tr {
                            th scope="row" { span class="soft" aria-hidden="true" { (i + 1) } " " (row.name) }
                            @for (j, tally) in cells.iter().enumerate() {
                                @match tally {
                                    Some(tally) => { (crosstable_cell(tally)) }
                                    None if i == j => { td class="n own" {} }
                                    None => { td class="n none" { "–" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn crosstable_cell(tally: &Pentanomial) -> Markup {
    let score = tally.points() / tally.games() as f64;
    let side = if score >= 0.5 { "x" } else { "o" };
    let style = format!("--heat:{:.0}%", 60.0 * (2.0 * score - 1.0).abs());
    let title = format!(
        "{} won, {} drawn, {} lost",
        tally.wins, tally.draws, tally.losses
    );
    html! {
        td class={ "n heat " (side) } style=(style) title=(title) {
            (format!("{:.0}%", 100.0 * score))
            small { (format!("{:.1}/{}", tally.points(), tally.games())) }
        }
    }
}

fn ratings(standings: &Standings) -> Markup {
    html! {
        figure class="wide" tabindex="0" role="region" aria-label="Plot of ratings" { (plots::ratings_plot(&standings.by_rating())) }
        p class="soft" {
            "Maximum-likelihood Elo ratings, which account for the strength of opponents; the mean is 0, and the 95% \
             intervals are relative to it. Each bot gets one virtual draw against the mean: without it, a bot that won \
             every game would have no rating. With few games, this pulls ratings slightly toward 0."
        }
        @if standings.groups.len() > 1 {
            p { "These groups have no common opponents and can't be compared:" }
            ul class="groups" {
                @for group in &standings.groups { li { (group.join(", ")) } }
            }
        }
    }
}

fn endings(plan: &Plan, games: &[&PlayedGame]) -> Markup {
    if games.is_empty() {
        return html! { p class="soft" { "No games yet." } };
    }
    let by_outcome = |reason: EndReason| {
        [Outcome::Win(Side::X), Outcome::Draw, Outcome::Win(Side::O)].map(|outcome| {
            let ended = games.iter();
            ended
                .filter(|game| (game.reason, game.outcome) == (reason, outcome))
                .count()
        })
    };
    let rows = html! {
        @for (reason, counts) in EndReason::ALL.map(|reason| (reason, by_outcome(reason))) {
            @let all: usize = counts.iter().sum();
            @if all > 0 {
                @let share = share_text(all, games.len());
                tr {
                    th scope="row" { (reason.label()) }
                    (cell(all))
                    td class="bar" { i style={ "--share:" (share) } aria-hidden="true" {} span { (share) } }
                    @for count in counts { (cell(count)) }
                }
            }
        }
    };
    let columns = ["Ended by", "#Games", "Share", "#X won", "#Drawn", "#O won"];
    let mut faults = games.to_vec();
    faults.retain(|game| game.reason.is_fault());
    html! {
        (table("How games ended", &columns, &rows))
        @if !faults.is_empty() {
            h3 { "Games lost because a bot failed" }
            (table("Games lost because a bot failed", &["Bot", "Failure", "#Games", "First example"], &fault_rows(plan, &faults)))
        }
    }
}

/// A row for each bot and each of its faults.
fn fault_rows(plan: &Plan, faults: &[&PlayedGame]) -> Markup {
    html! {
        @for (number, bot) in (0..).zip(&plan.bots) {
            @for reason in EndReason::ALL {
                // If both bots failed, neither won.
                @let lost_by = |game: &PlayedGame, side| {
                    game.key.bot(side) == number && game.outcome.winner() != Some(side)
                };
                @let lost: Vec<&&PlayedGame> = faults
                    .iter()
                    .filter(|game| game.reason == reason && Side::BOTH.into_iter().any(|side| lost_by(game, side)))
                    .collect();
                @if let Some(first) = lost.first() {
                    tr {
                        th scope="row" { (bot.name) }
                        td { (reason.label()) }
                        (cell(lost.len()))
                        td { (game_text(plan, first)) @if let Some(note) = &first.note { ": " (note) } }
                    }
                }
            }
        }
    }
}

fn time_tables(
    plan: &Plan,
    games: &[&PlayedGame],
    times: &[MoveTimes],
    slow: &[SlowMove],
) -> Markup {
    let rows = html! {
        @for (bot, times) in plan.bots.iter().zip(times) {
            tr {
                th scope="row" { (bot.name) }
                (cell(times.moves))
                @for time in [times.mean, times.median, times.p95, times.longest] {
                    (cell(if times.moves == 0 { "–".into() } else { duration_text(time) }))
                }
            }
        }
    };
    let slow_rows = html! {
        @for slow in slow {
            @let game = games[slow.game];
            tr {
                (cell(duration_text(slow.took)))
                th scope="row" { (bot_name(plan, slow.bot)) }
                td { (slow.ply) ". " code { (game.state.moves()[slow.ply - 1]) } }
                td {
                    (game_text(plan, game)) ", " (bot_name(plan, game.key.bot(Side::X))) " – "
                    (bot_name(plan, game.key.bot(Side::O)))
                }
                td { a class="show" href={ "#g" (plan.game_number(&game.key)) "." (slow.ply) } { "Show" } }
            }
        }
    };
    html! {
        (table("Time per move", &["Bot", "#Moves", "#Mean", "#Median", "#95th percentile", "#Longest"], &rows))
        @if !slow.is_empty() {
            h3 { "Slowest moves" }
            (table("Slowest moves", &["#Time", "Bot", "Move", "Game", "Replay"], &slow_rows))
        }
    }
}

/// `game 12`, by its number in the plan.
fn game_text(plan: &Plan, game: &PlayedGame) -> String {
    format!("game {}", plan.game_number(&game.key))
}

/// The replay viewer, filled by the script.
fn viewer(board: &ReplayBoard) -> Markup {
    let results = [
        ("", "Any"),
        ("0", "X won"),
        ("1", "O won"),
        ("2", "Draw"),
        ("won", "Bot won"),
        ("lost", "Bot lost"),
    ];
    let steps = [
        ("first", "First position (Home)", "|‹"),
        ("back", "Previous move (Left arrow)", "‹"),
        ("next", "Next move (Right arrow)", "›"),
        ("last", "Last position (End)", "›|"),
    ];
    html! {
        noscript { p { "This page needs JavaScript to show the games. Turn it on and reload the page." } }
        div id="viewer" class="viewer" hidden {
            div class="list" {
                form class="filters" id="filters" {
                    label { "Bot " select name="bot" {} }
                    label {
                        "Result "
                        select name="result" {
                            @for (value, title) in results { option value=(value) { (title) } }
                        }
                    }
                    label { "Ended by " select name="reason" {} }
                }
                p class="soft" id="count" role="status" {}
                div class="scroll" tabindex="0" role="region" aria-label="List of games" {
                    table class="games" {
                        thead {
                            tr {
                                th scope="col" class="n" { "Game" }
                                @for title in ["Round", "X", "O", "Result", "Ended by"] { th scope="col" { (title) } }
                                th scope="col" class="n" { "Moves" }
                            }
                        }
                        tbody id="list" {}
                    }
                }
                div class="pager" {
                    button type="button" id="newer" { "Show earlier games" }
                    span id="page" class="soft" {}
                    button type="button" id="older" { "Show later games" }
                }
            }
            div class="game card" id="game" role="group" aria-labelledby="game-title" tabindex="-1" {
                h3 id="game-title" tabindex="-1" {}
                p id="game-result" class="soft" {}
                div id="board" class="board" { (board.svg("say")) }
                p class="soft letters" { (board.caption()) }
                p id="say" class="say" role="status" {}
                div class="scrub" {
                    @for (id, label, sign) in steps { button type="button" id=(id) aria-label=(label) { (sign) } }
                }
                ol id="moves" class="moves" aria-label="Moves" {}
                p class="soft keys" {
                    kbd { "←" } " " kbd { "→" } " previous and next move, " kbd { "Home" } " " kbd { "End" }
                    " first and last, " kbd { "↑" } " " kbd { "↓" } " previous and next game"
                }
            }
        }
    }
}

fn plan_facts(plan: &Plan) -> Markup {
    let mut facts: Vec<(&str, String)> = vec![
        ("Game", plan.variant.clone()),
        (
            "Format",
            match (plan.format, plan.bots.len()) {
                (Format::RoundRobin, 2) => "match",
                (Format::RoundRobin, _) => "round robin",
                (Format::Gauntlet, _) => "gauntlet: the first bot plays all others",
            }
            .into(),
        ),
        ("Game pairs", format!("{} per pairing", plan.rounds)),
        ("Openings", openings_text(&plan.openings)),
        ("Time control", plan.time_control.to_string()),
        ("Time margin", format!("{} ms", plan.margin_ms)),
        ("Patience", format!("{} ms", plan.patience_ms)),
        ("Seed", plan.seed.to_string()),
        ("Move limit", or(plan.move_limit, "none")),
        ("Adjudication", adjudication_text(plan)),
        (
            "Scoring",
            match plan.scoring {
                Scoring::Points => "1 for a win, ½ for a draw",
                Scoring::Penalty => "0 for a win, 1 for a draw, 3 for a loss; lower is better",
            }
            .into(),
        ),
    ];
    if let Some(sprt) = &plan.sprt {
        let text = format!(
            "nElo {} vs {}, alpha {}, beta {}",
            sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
        );
        facts.push(("Sequential test", text));
    }
    facts.push(("Games at once", or(plan.concurrency, "one per core")));
    let rows = html! {
        @for bot in &plan.bots {
            tr {
                th scope="row" { (bot.name) }
                td { (bot_source_text(bot)) }
                td { (bot.time_control.unwrap_or(plan.time_control)) }
                (cell(bot.threads()))
            }
        }
    };
    html! {
        dl class="plan" {
            @for (term, value) in facts { div { dt { (term) } dd { (value) } } }
        }
        (table("Bots", &["Bot", "Type", "Time control", "#Threads"], &rows))
    }
}

/// A value, or what is meant by its absence.
fn or(value: Option<impl Display>, none: &str) -> String {
    value.map_or_else(|| none.to_owned(), |value| value.to_string())
}

fn openings_text(openings: &Openings) -> String {
    match openings {
        Openings::Start => "none: every game starts from the start position".into(),
        Openings::Random(moves) => noughts_text::plural(*moves, "random move"),
        Openings::All(moves) => {
            let moves = noughts_text::plural(*moves, "move");
            format!("all positions after {moves}, without symmetric copies")
        }
        Openings::List(list) => format!("a list of {count}", count = list.len()),
    }
}

fn adjudication_text(plan: &Plan) -> String {
    let rules = &plan.adjudication;
    let exact = rules
        .exact
        .then(|| "when the exact value is known".to_owned());
    let win = rules.win.map(|agreed| {
        format!(
            "as a win when both bots report {} or more for the same side for {} moves each",
            agreed.value, agreed.moves
        )
    });
    let draw = rules.draw.map(|agreed| {
        format!(
            "as a draw when both bots report at most ±{} for {} moves each",
            agreed.value, agreed.moves
        )
    });
    let parts: Vec<String> = [exact, win, draw].into_iter().flatten().collect();
    match parts.is_empty() {
        true => "none".into(),
        false => parts.join("; "),
    }
}

fn bot_source_text(bot: &BotSpec) -> String {
    match &bot.source {
        BotSource::Builtin(bot) => format!("built-in {}, {} MiB", bot.kind, bot.hash),
        BotSource::Program(program) => {
            let protocol = match program.protocol {
                Protocol::Ugi => "UGI",
                Protocol::Codingame => "CodinGame",
            };
            let options = program.options.iter();
            let options: String = options
                .map(|(option, value)| format!(", {option} = {value}"))
                .collect();
            format!("{protocol}: {}{options}", program.command_line())
        }
        BotSource::Custom => "part of the program that ran this tournament".into(),
    }
}
