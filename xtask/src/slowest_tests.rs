//! The slowest tests of a run, from the report that nextest writes.

use std::fs;
use std::path::Path;

/// How many are listed.
const LISTED_TESTS: usize = 10;

/// Prints the slowest tests; nothing if there's no report.
pub(crate) fn print(report: &Path) {
    let Ok(text) = fs::read_to_string(report) else {
        return;
    };
    let mut tests = times(&text);
    tests.sort_by(|a, b| b.0.total_cmp(&a.0));
    eprintln!("\nSlowest of {} tests:", tests.len());
    for (seconds, name) in tests.iter().take(LISTED_TESTS) {
        eprintln!("{seconds:8.1} s  {name}");
    }
}

/// Seconds and name of every test case.
fn times(report: &str) -> Vec<(f64, String)> {
    let Ok(report) = roxmltree::Document::parse(report) else {
        return Vec::new();
    };
    let cases = report
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    cases
        .filter_map(|case| {
            let seconds = case.attribute("time")?.parse().ok()?;
            let name = format!(
                "{} {}",
                case.attribute("classname")?,
                case.attribute("name")?
            );
            Some((seconds, name))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::times;

    #[test]
    fn test_cases_are_parsed_with_their_times() {
        let report = r#"<testsuites><testsuite name="a"><testcase name="t::u" classname="a" time="1.5"/>
            <testcase name="v" classname="a" time="0.25"><failure/></testcase></testsuite></testsuites>"#;
        let expected = vec![(1.5, "a t::u".to_owned()), (0.25, "a v".to_owned())];
        assert_eq!(times(report), expected);
        assert!(times("nothing").is_empty());
    }
}
