//! The HTML page: one self-contained file that loads nothing.

use std::fmt::Write as _;

use noughts_rules::{Outcome, Side};

use super::data::{reason_label, replay_json};
use super::times::{MoveTimes, SlowMove, duration_text, move_times};
use super::{TournamentReport, bot_name, in_plan_order, plots};
use crate::plan::{AgreementThreshold, Format, Openings, Plan, Scoring};
use crate::played_game::{EndReason, PlayedGame};
use crate::spec::{BotSource, BotSpec, Protocol};
use crate::standings::{FormattedNumber, Standings, StandingsRow};
use crate::statistics::{EloEstimate, Pentanomial, Results};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The number of slowest moves listed.
const SLOWEST_MOVES: usize = 12;

/// Renders the report as a self-contained page. Its script contains no rules.
#[must_use]
pub fn render_html(report: &TournamentReport<'_>) -> String {
    let games = in_plan_order(report.games);
    let results = Results::from_games(report.plan, games.iter().copied());
    let standings = Standings::new(report.plan, &results);
    let (times, slow) = move_times(report.plan, &games, SLOWEST_MOVES);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape_html(report.title)
    );
    page.push_str("<a class=\"skip\" href=\"#main\">Skip to results</a>\n");
    write_header(&mut page, report);
    page.push_str("<main id=\"main\" tabindex=\"-1\">\n");
    write_summary(&mut page, report, &games, &standings);
    write_section(&mut page, "result", "Result", &result_html(&standings));
    write_section(
        &mut page,
        "standings",
        "Standings",
        &standings_html(&standings),
    );
    if standings.rows.len() > 2 {
        write_section(
            &mut page,
            "cross",
            "Crosstable",
            &crosstable_html(&standings),
        );
    }
    write_section(&mut page, "ratings", "Ratings", &ratings_html(&standings));
    if let Some(state) = &standings.sprt {
        let plot = format!(
            "<figure class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Plot of the sequential test\">{plot}</figure>\
             <p class=\"soft\">Is {new} better than {old} by {elo1} rather than {elo0} normalized Elo? \
             The answer “yes” is wrong in at most {alpha}% of tests, “no” in at most {beta}%.</p>",
            plot = plots::llr_plot(results.llr_history(), state),
            new = escape_html(bot_name(report.plan, 0)),
            old = escape_html(bot_name(report.plan, 1)),
            elo1 = state.sprt.elo1,
            elo0 = state.sprt.elo0,
            alpha = percent_text(state.sprt.alpha),
            beta = percent_text(state.sprt.beta),
        );
        write_section(&mut page, "sprt", "Sequential test", &plot);
    }
    write_section(
        &mut page,
        "endings",
        "How games ended",
        &endings_html(report.plan, &games),
    );
    write_section(
        &mut page,
        "times",
        "Time per move",
        &times_html(report.plan, &games, &times, &slow),
    );
    write_section(&mut page, "games", "Games", VIEWER_HTML);
    write_section(&mut page, "plan", "Plan", &plan_html(report.plan));
    page.push_str("</main>\n");
    let _ = write!(
        page,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        replay_json(report.plan, &games)
    );
    page.push_str("</body>\n</html>\n");
    page
}

/// Escapes text for elements and attributes.
pub(super) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() && c != '\n' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

fn percent_text(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    text.trim_end_matches('0').trim_end_matches('.').into()
}

fn write_section(page: &mut String, id: &str, title: &str, content: &str) {
    let _ = write!(
        page,
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n{content}\n</section>\n"
    );
}

/// The logo of the other pages, and the navigation.
fn write_header(page: &mut String, report: &TournamentReport<'_>) {
    page.push_str(
        "<header class=\"top\"><span class=\"word\"><svg class=\"word-mark\" viewBox=\"0 0 44 24\" aria-hidden=\"true\">\
         <path class=\"x\" d=\"M4 4 20 20M20 4 4 20\"/><circle class=\"o\" cx=\"33\" cy=\"12\" r=\"8.5\"/></svg>noughts arena</span>\
         <nav aria-label=\"Sections\">",
    );
    let parts = [
        ("result", "Result", true),
        ("standings", "Standings", true),
        ("cross", "Crosstable", report.plan.bots.len() > 2),
        ("sprt", "Test", report.plan.sprt.is_some()),
        ("endings", "Endings", true),
        ("times", "Time", true),
        ("games", "Games", true),
        ("plan", "Plan", true),
    ];
    for (id, title, shown) in parts {
        if shown {
            let _ = write!(page, "<a href=\"#{id}\">{title}</a>");
        }
    }
    page.push_str(
        "</nav><button type=\"button\" class=\"theme\" id=\"theme\" hidden>Use dark theme</button></header>\n",
    );
}

fn write_summary(
    page: &mut String,
    report: &TournamentReport<'_>,
    games: &[&PlayedGame],
    standings: &Standings,
) {
    let created = report.created.map_or(String::new(), |created| {
        format!(" · {}", escape_html(created))
    });
    let _ = writeln!(
        page,
        "<div class=\"headline\"><h1>{}</h1><p class=\"soft\"><code>{}</code> · {}{created}</p></div>",
        escape_html(report.title),
        escape_html(&report.plan.variant),
        escape_html(&standings.conditions),
    );
    let _ = writeln!(
        page,
        "<p class=\"verdict\">{}</p>",
        escape_html(&standings.conclusion())
    );
    let count = |outcome: Outcome| games.iter().filter(|game| game.outcome == outcome).count();
    let all = games.len();
    let share = |count: usize| format!("{count} <small>{}</small>", share_text(count, all));
    let plies: usize = games.iter().map(|game| game.state.ply()).sum();
    let mean = FormattedNumber(plies as f64 / all as f64);
    let facts = [
        ("Games", all.to_string()),
        ("X won", share(count(Outcome::Win(Side::X)))),
        ("Draws", share(count(Outcome::Draw))),
        ("O won", share(count(Outcome::Win(Side::O)))),
        (
            "Moves per game",
            if all == 0 {
                "–".into()
            } else {
                format!("{mean:.1}")
            },
        ),
    ];
    page.push_str("<dl class=\"facts\">");
    for (term, value) in facts {
        let _ = write!(page, "<div><dt>{term}</dt><dd>{value}</dd></div>");
    }
    page.push_str("</dl>\n");
    if standings.aside > 0 {
        let _ = writeln!(
            page,
            "<p class=\"soft aside\">{games} {verb} below: only complete pairs count, in plan order, \
             up to the point where a test is decided.</p>",
            games = standings.aside,
            verb = if standings.aside == 1 {
                "game isn't counted"
            } else {
                "games aren't counted"
            }
        );
    }
}

fn share_text(count: usize, all: usize) -> String {
    if all == 0 {
        return "–".into();
    }
    format!("{:.1}%", 100.0 * count as f64 / all as f64)
}

fn result_html(standings: &Standings) -> String {
    let is_empty = standings.rows.iter().all(|row| row.tally.games() == 0);
    let text = if standings.rows.len() == 2 || is_empty {
        standings.text()
    } else {
        standings.standings_table() + &standings.sprt_lines() + &standings.faults_text()
    };
    format!(
        "<pre class=\"block\" tabindex=\"0\" role=\"region\" aria-label=\"Result as text\">{}</pre>",
        escape_html(&text)
    )
}

/// Opens a table that scrolls if it is wider than the screen.
fn table_start(label: &str, head: &[(&str, bool)]) -> String {
    let mut text = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}: table\"><table><thead><tr>"
    );
    for (title, is_number) in head {
        let class = if *is_number { " class=\"n\"" } else { "" };
        let _ = write!(text, "<th scope=\"col\"{class}>{title}</th>");
    }
    text.push_str("</tr></thead><tbody>");
    text
}

const TABLE_END: &str = "</tbody></table></div>";

fn write_cell(text: &mut String, value: &str) {
    let _ = write!(text, "<td class=\"n\">{value}</td>");
}

fn standings_html(standings: &Standings) -> String {
    let penalty = standings.scoring == Scoring::Penalty;
    let faults = standings.rows.iter().any(|row| row.faults.total() > 0);
    let mut head = vec![("Rank", true), ("Name", false)];
    if penalty {
        head.extend([("Penalty", true), ("Per game", true)]);
    }
    head.extend([
        ("Elo", true),
        ("nElo", true),
        ("LOS", true),
        ("Games", true),
        ("Won", true),
        ("Drawn", true),
        ("Lost", true),
        ("Points", true),
        ("Score", true),
        ("Even pairs", true),
        ("Pairs 0–2", true),
    ]);
    if faults {
        head.extend([
            ("Timeouts", true),
            ("Crashes", true),
            ("Illegal moves", true),
            ("Protocol errors", true),
        ]);
    }
    let mut text = table_start("Standings", &head);
    for row in &standings.rows {
        let (e, tally) = (&row.estimate, &row.tally);
        let _ = write!(
            text,
            "<tr><td class=\"n\">{}</td><th scope=\"row\">{}</th>",
            row.rank,
            escape_html(&row.name)
        );
        if penalty {
            write_cell(&mut text, &row.penalty.to_string());
            let a_game = row.penalty_per_game();
            write_cell(
                &mut text,
                &if a_game.is_nan() {
                    "–".into()
                } else {
                    format!("{a_game:.2}")
                },
            );
        }
        write_cell(&mut text, &elo_html(e));
        write_cell(&mut text, &plus_minus(e.nelo, e.nelo_error));
        write_cell(&mut text, &percent_cell(e.los));
        for count in [tally.games(), tally.wins, tally.draws, tally.losses] {
            write_cell(&mut text, &count.to_string());
        }
        write_cell(&mut text, &format!("{:.1}", row.points));
        write_cell(&mut text, &percent_cell(row.points / tally.games() as f64));
        write_cell(&mut text, &percent_cell(e.draw_ratio));
        write_cell(
            &mut text,
            &tally
                .distinct_pairs()
                .map(|count| count.to_string())
                .join(" "),
        );
        if faults {
            let faults = row.faults;
            for count in [faults.late, faults.crashed, faults.illegal, faults.protocol] {
                write_cell(&mut text, &count.to_string());
            }
        }
        text.push_str("</tr>");
    }
    text.push_str(TABLE_END);
    text.push_str(match standings.scoring {
        Scoring::Points => {
            "<p class=\"soft\">Elo and nElo have 95% intervals and come from game pairs with sides swapped. \
             LOS is the likelihood of superiority. Pairs 0–2 counts pairs by points: two losses, a loss and a draw, even, a win and a draw, two wins.</p>"
        }
        Scoring::Penalty => {
            "<p class=\"soft\">Sorted by penalty per game: 0 for a win, 1 for a draw, 3 for a loss; lower is better. \
             Elo and nElo have 95% intervals.</p>"
        }
    });
    text
}

fn percent_cell(share: f64) -> String {
    if share.is_nan() {
        "–".into()
    } else {
        format!("{:.1}%", 100.0 * share)
    }
}

/// The Elo difference with its error, or with the one finite bound of its interval.
fn elo_html(e: &EloEstimate) -> String {
    let figure = |value: f64| format!("{:.1}", FormattedNumber(value)).replace('-', "−");
    let bound = match (e.elo_low.is_finite(), e.elo_high.is_finite()) {
        (true, false) => format!("at least {}", figure(e.elo_low)),
        (false, true) => format!("at most {}", figure(e.elo_high)),
        _ => return plus_minus(e.elo, e.elo_error),
    };
    match e.elo.is_finite() {
        true => format!("{} <span class=\"soft\">({bound})</span>", figure(e.elo)),
        false => format!("<span class=\"soft\">{bound}</span>"),
    }
}

/// A number and its error; a dash if there is none.
fn plus_minus(value: f64, error: f64) -> String {
    let figure = |value: f64| format!("{:.1}", FormattedNumber(value)).replace('-', "−");
    match (value, error) {
        (value, _) if !value.is_finite() => "–".into(),
        (value, error) if !error.is_finite() => figure(value),
        (value, error) => format!(
            "{} <span class=\"soft\">± {}</span>",
            figure(value),
            figure(error)
        ),
    }
}

/// The crosstable as a heat map: blue above one half, orange below.
fn crosstable_html(standings: &Standings) -> String {
    let mut text = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Crosstable\">\
         <table class=\"cross\"><thead><tr><th scope=\"col\">Row against column</th>",
    );
    for (i, row) in standings.rows.iter().enumerate() {
        let _ = write!(
            text,
            "<th scope=\"col\" class=\"n\"><span class=\"unseen\">{}</span><span aria-hidden=\"true\" title=\"{0}\">{1}</span></th>",
            escape_html(&row.name),
            i + 1
        );
    }
    text.push_str("</tr></thead><tbody>");
    for (i, (row, cells)) in standings.rows.iter().zip(&standings.cross).enumerate() {
        let _ = write!(
            text,
            "<tr><th scope=\"row\"><span class=\"soft\" aria-hidden=\"true\">{}</span> {}</th>",
            i + 1,
            escape_html(&row.name)
        );
        for (j, tally) in cells.iter().enumerate() {
            text.push_str(&crosstable_cell(tally.as_ref(), i == j));
        }
        text.push_str("</tr>");
    }
    text.push_str("</tbody></table></div>");
    text
}

fn crosstable_cell(tally: Option<&Pentanomial>, is_diagonal: bool) -> String {
    let Some(tally) = tally else {
        let class = if is_diagonal { "own" } else { "none" };
        return format!(
            "<td class=\"n {class}\">{}</td>",
            if is_diagonal { "" } else { "–" }
        );
    };
    let score = tally.points() / tally.games() as f64;
    let (class, heat) = if score >= 0.5 {
        ("x", 2.0 * score - 1.0)
    } else {
        ("o", 1.0 - 2.0 * score)
    };
    format!(
        "<td class=\"n heat {class}\" style=\"--heat:{:.0}%\" title=\"{} won, {} drawn, {} lost\">{:.0}%\
         <small>{:.1}/{}</small></td>",
        60.0 * heat,
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * score,
        tally.points(),
        tally.games()
    )
}

fn ratings_html(standings: &Standings) -> String {
    let mut rows: Vec<&StandingsRow> = standings.rows.iter().collect();
    rows.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    let mut text = format!(
        "<figure class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Plot of ratings\">{}</figure>",
        plots::ratings_plot(&rows)
    );
    text.push_str(
        "<p class=\"soft\">Maximum-likelihood Elo ratings, which account for the strength of opponents; the mean is 0, \
         and the 95% intervals are relative to it. Each bot gets one virtual draw against the mean: without it, a bot \
         that won every game would have no rating. With few games, this pulls ratings slightly toward 0.</p>",
    );
    if standings.groups.len() > 1 {
        text.push_str(
            "<p>These groups have no common opponents and can't be compared:</p><ul class=\"groups\">",
        );
        for group in &standings.groups {
            let _ = write!(text, "<li>{}</li>", escape_html(&group.join(", ")));
        }
        text.push_str("</ul>");
    }
    text
}

fn endings_html(plan: &Plan, games: &[&PlayedGame]) -> String {
    if games.is_empty() {
        return "<p class=\"soft\">No games yet.</p>".into();
    }
    let head = [
        ("Ended by", false),
        ("Games", true),
        ("Share", false),
        ("X won", true),
        ("Drawn", true),
        ("O won", true),
    ];
    let mut text = table_start("How games ended", &head);
    for reason in EndReason::ALL {
        let count = |outcome: Outcome| {
            let counts = games.iter();
            counts
                .filter(|game| game.reason == reason && game.outcome == outcome)
                .count()
        };
        let [x, draw, o] = [Outcome::Win(Side::X), Outcome::Draw, Outcome::Win(Side::O)].map(count);
        let all = x + draw + o;
        if all == 0 {
            continue;
        }
        let _ = write!(
            text,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{all}</td>\
             <td class=\"bar\"><i style=\"--share:{:.1}%\" aria-hidden=\"true\"></i><span>{}</span></td>\
             <td class=\"n\">{x}</td><td class=\"n\">{draw}</td><td class=\"n\">{o}</td></tr>",
            reason_label(reason),
            100.0 * all as f64 / games.len() as f64,
            share_text(all, games.len()),
        );
    }
    text.push_str(TABLE_END);
    let faults: Vec<&&PlayedGame> = games.iter().filter(|game| game.reason.is_fault()).collect();
    if !faults.is_empty() {
        text.push_str("<h3>Games lost through faults</h3>");
        let head = [
            ("Bot", false),
            ("Fault", false),
            ("Games", true),
            ("First case", false),
        ];
        text.push_str(&table_start("Games lost through faults", &head));
        for (number, bot) in (0..).zip(&plan.bots) {
            for reason in EndReason::ALL {
                // If both bots failed, neither won.
                let lost = |game: &&&&PlayedGame| {
                    let lost_by =
                        |side| game.key.bot(side) == number && game.outcome.winner() != Some(side);
                    game.reason == reason && Side::BOTH.into_iter().any(lost_by)
                };
                let mut lost = faults.iter().filter(lost);
                let Some(first) = lost.next() else {
                    continue;
                };
                let _ = write!(
                    text,
                    "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"n\">{}</td><td>{}{}</td></tr>",
                    escape_html(&bot.name),
                    reason_label(reason),
                    1 + lost.count(),
                    game_text(plan, first),
                    first
                        .note
                        .as_ref()
                        .map_or(String::new(), |note| format!(": {}", escape_html(note)))
                );
            }
        }
        text.push_str(TABLE_END);
    }
    text
}

fn times_html(
    plan: &Plan,
    games: &[&PlayedGame],
    times: &[MoveTimes],
    slow: &[SlowMove],
) -> String {
    let head = [
        ("Bot", false),
        ("Moves", true),
        ("Mean", true),
        ("Median", true),
        ("95th percentile", true),
        ("Longest", true),
    ];
    let mut text = table_start("Time per move", &head);
    for (bot, times) in plan.bots.iter().zip(times) {
        let _ = write!(
            text,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td>",
            escape_html(&bot.name),
            times.moves
        );
        for time in [times.mean, times.median, times.p95, times.longest] {
            write_cell(
                &mut text,
                &if times.moves == 0 {
                    "–".into()
                } else {
                    duration_text(time)
                },
            );
        }
        text.push_str("</tr>");
    }
    text.push_str(TABLE_END);
    if slow.is_empty() {
        return text;
    }
    text.push_str("<h3>Slowest moves</h3>");
    let head = [
        ("Time", true),
        ("Bot", false),
        ("Move", false),
        ("Game", false),
        ("Replay", false),
    ];
    text.push_str(&table_start("Slowest moves", &head));
    for slow in slow {
        let game = games[slow.game];
        let _ = write!(
            text,
            "<tr><td class=\"n\">{}</td><th scope=\"row\">{}</th><td>{}. <code>{}</code></td>\
             <td>{}, {} – {}</td><td><a class=\"show\" href=\"#g{}.{}\">Show</a></td></tr>",
            duration_text(slow.took),
            escape_html(bot_name(plan, slow.bot)),
            slow.ply,
            escape_html(&slow.mv),
            game_text(plan, game),
            escape_html(bot_name(plan, game.key.bot(Side::X))),
            escape_html(bot_name(plan, game.key.bot(Side::O))),
            plan.game_number(&game.key),
            slow.ply
        );
    }
    text.push_str(TABLE_END);
    text
}

/// `game 12`, by its number in the plan.
fn game_text(plan: &Plan, game: &PlayedGame) -> String {
    format!("game {}", plan.game_number(&game.key))
}

/// The replay viewer, filled by the script.
const VIEWER_HTML: &str = "<noscript><p>This page needs JavaScript to show the games. Turn it on and reload the page.</p></noscript>\
<div id=\"viewer\" class=\"viewer\" hidden>\
<div class=\"list\"><form class=\"filters\" id=\"filters\">\
<label>Bot <select name=\"bot\"></select></label>\
<label>Result <select name=\"result\"><option value=\"\">Any</option><option value=\"0\">X won</option>\
<option value=\"1\">O won</option><option value=\"2\">Draw</option><option value=\"won\">Bot won</option>\
<option value=\"lost\">Bot lost</option></select></label>\
<label>Ended by <select name=\"reason\"></select></label></form>\
<p class=\"soft\" id=\"count\" role=\"status\"></p>\
<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"List of games\"><table class=\"games\"><thead><tr><th scope=\"col\" class=\"n\">Game</th>\
<th scope=\"col\">Round</th><th scope=\"col\">X</th><th scope=\"col\">O</th><th scope=\"col\">Result</th><th scope=\"col\">Ended by</th>\
<th scope=\"col\" class=\"n\">Moves</th></tr></thead><tbody id=\"list\"></tbody></table></div>\
<div class=\"pager\"><button type=\"button\" id=\"newer\">Show earlier games</button><span id=\"page\" class=\"soft\"></span>\
<button type=\"button\" id=\"older\">Show later games</button></div></div>\
<div class=\"game card\" id=\"game\" role=\"group\" aria-labelledby=\"game-title\" tabindex=\"-1\">\
<h3 id=\"game-title\" tabindex=\"-1\"></h3><p id=\"game-result\" class=\"soft\"></p>\
<div id=\"board\" class=\"board\"></div><p id=\"letters\" class=\"soft letters\" hidden>Boards and cells are lettered \
a to i in reading order; a move names the outermost board first.</p><p id=\"say\" class=\"say\" role=\"status\"></p>\
<div class=\"scrub\"><button type=\"button\" id=\"first\" aria-label=\"First position (Home)\">|‹</button>\
<button type=\"button\" id=\"back\" aria-label=\"Previous move (Left arrow)\">‹</button>\
<button type=\"button\" id=\"next\" aria-label=\"Next move (Right arrow)\">›</button>\
<button type=\"button\" id=\"last\" aria-label=\"Last position (End)\">›|</button></div>\
<ol id=\"moves\" class=\"moves\" aria-label=\"Moves\"></ol>\
<p class=\"soft keys\"><kbd>←</kbd> <kbd>→</kbd> previous and next move, <kbd>Home</kbd> <kbd>End</kbd> first and last, \
<kbd>↑</kbd> <kbd>↓</kbd> previous and next game</p></div></div>";

fn plan_html(plan: &Plan) -> String {
    let mut text = String::from("<dl class=\"plan\">");
    let mut write_fact = |term: &str, value: &str| {
        let _ = write!(
            text,
            "<div><dt>{term}</dt><dd>{}</dd></div>",
            escape_html(value)
        );
    };
    write_fact("Game", &plan.variant);
    write_fact(
        "Format",
        match (plan.format, plan.bots.len()) {
            (Format::RoundRobin, 2) => "match",
            (Format::RoundRobin, _) => "round robin",
            (Format::Gauntlet, _) => "gauntlet: the first bot plays all others",
        },
    );
    write_fact(
        "Game pairs",
        &format!("{rounds} per pairing", rounds = plan.rounds),
    );
    write_fact("Openings", &openings_text(&plan.openings));
    write_fact("Time control", &plan.pace.to_string());
    write_fact("Time margin", &format!("{} ms", plan.margin_ms));
    write_fact("Patience", &format!("{} ms", plan.patience_ms));
    write_fact("Seed", &plan.seed.to_string());
    write_fact(
        "Move limit",
        &plan
            .move_limit
            .map_or("none".into(), |limit| limit.to_string()),
    );
    write_fact("Adjudication", &adjudication_text(plan));
    write_fact(
        "Scoring",
        match plan.scoring {
            Scoring::Points => "1 for a win, ½ for a draw",
            Scoring::Penalty => "0 for a win, 1 for a draw, 3 for a loss; lower is better",
        },
    );
    if let Some(sprt) = &plan.sprt {
        write_fact(
            "Sequential test",
            &format!(
                "nElo {elo0} vs. {elo1}, alpha {alpha}, beta {beta}",
                elo0 = sprt.elo0,
                elo1 = sprt.elo1,
                alpha = sprt.alpha,
                beta = sprt.beta
            ),
        );
    }
    write_fact(
        "Games at once",
        &plan
            .concurrency
            .map_or("one per core".into(), |games| games.to_string()),
    );
    text.push_str("</dl>");
    let head = [
        ("Bot", false),
        ("Type", false),
        ("Time control", false),
        ("Threads", true),
    ];
    text.push_str(&table_start("Bots", &head));
    for bot in &plan.bots {
        let _ = write!(
            text,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>",
            escape_html(&bot.name),
            escape_html(&bot_source_text(bot)),
            bot.pace.unwrap_or(plan.pace),
            bot.threads()
        );
    }
    text.push_str(TABLE_END);
    text
}

fn openings_text(openings: &Openings) -> String {
    match openings {
        Openings::Start => "none: every game starts from the start position".into(),
        Openings::Random(moves) => format!("{moves} random moves"),
        Openings::All(moves) => {
            format!("all positions after {moves} moves, without symmetric copies")
        }
        Openings::List(list) => format!("a list of {count}", count = list.len()),
    }
}

fn adjudication_text(plan: &Plan) -> String {
    let rules = &plan.adjudication;
    let mut parts = Vec::new();
    if rules.exact {
        parts.push("when the exact value is known".to_owned());
    }
    let moves =
        |agreed: &AgreementThreshold| format!("for {moves} moves each", moves = agreed.moves);
    if let Some(agreed) = &rules.win {
        parts.push(format!(
            "as a win when both bots report {value} or more for the same side {moves}",
            value = agreed.value,
            moves = moves(agreed)
        ));
    }
    if let Some(agreed) = &rules.draw {
        parts.push(format!(
            "as a draw when both bots report at most ±{value} {moves}",
            value = agreed.value,
            moves = moves(agreed)
        ));
    }
    if parts.is_empty() {
        "none".into()
    } else {
        parts.join("; ")
    }
}

fn bot_source_text(bot: &BotSpec) -> String {
    match &bot.who {
        BotSource::Ours(bot) => format!(
            "built-in {kind}, {hash} MiB",
            kind = bot.kind,
            hash = bot.hash
        ),
        BotSource::Program(program) => {
            let protocol = match program.protocol {
                Protocol::Ugi => "UGI",
                Protocol::Codingame => "CodinGame",
            };
            let mut words = vec![program.command.as_str()];
            words.extend(program.arguments.iter().map(String::as_str));
            let mut text = format!("{protocol}: {}", words.join(" "));
            for (option, value) in &program.options {
                let _ = write!(text, ", {option} = {value}");
            }
            text
        }
        BotSource::Guest => "part of the program that ran this tournament".into(),
    }
}
