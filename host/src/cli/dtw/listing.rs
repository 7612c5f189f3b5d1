//! What a search prints.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::json;

use super::task::{Place, Task};
use crate::data::one_line;
use crate::ops::dtw::Match;

/// Matches, where they were found, and on what.
pub struct Listing<'a> {
    /// What was searched for.
    pub task: &'a Task,
    /// Where it was computed.
    pub place: &'a Place,
    /// The matches.
    pub found: &'a [Match],
}

/// One match as a program reads it.
#[derive(Serialize)]
struct Row<'a> {
    /// By distance, from 1; the earlier one first among equals.
    rank: usize,
    start: usize,
    end: usize,
    distance: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_label: Option<&'a str>,
}

impl<'a> Listing<'a> {
    fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        let task = self.task;
        self.found.iter().zip(ranks(self.found)).map(move |(&Match { end, distance }, rank)| {
            let start = end + 1 - task.query.len();
            let (start_label, end_label) = (task.label(start), task.label(end));
            Row { rank, start, end, distance, start_label, end_label }
        })
    }

    /// A table, and a last line that says what was searched.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let label = self.task.label_column().map_or_else(String::new, |name| format!("  {}", one_line(name)));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>4} {:>9} {:>9} {:>13}{label}", "rank", "start", "end", "distance");
        for Row { rank, start, end, distance, start_label, end_label } in self.rows() {
            let labels = start_label.map(one_line).zip(end_label.map(one_line));
            let label = labels.map_or_else(String::new, |(a, b)| format!("  {a} to {b}"));
            let _ = writeln!(text, "{rank:>4} {start:>9} {end:>9} {:>13}{label}", short(distance));
        }
        let (found, windows) = (self.found.len(), self.task.windows());
        text + &format!("dtw: {found} of {windows} windows: {}, {}\n", self.task.words(), self.place.words())
    }

    /// One JSON object per match, and one for the whole.
    pub fn json(&self) -> String {
        let mut text = String::new();
        for row in self.rows() {
            // Numbers and text are always JSON.
            text += &serde_json::to_string(&row).unwrap_or_default();
            text += "\n";
        }
        let mut whole = self.task.json();
        whole["matches"] = json!(self.found.len());
        whole["backend"] = json!(self.place.executor.to_string());
        whole["reason"] = json!(self.place.reason);
        text + &format!("{whole}\n")
    }

    /// One line per match below a header.
    pub fn csv(&self) -> String {
        let labelled = self.task.label_column().is_some();
        let mut header = vec!["rank", "start", "end", "distance"];
        header.extend(labelled.then_some(["start_label", "end_label"]).into_iter().flatten());
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = writer.write_record(&header);
        for row in self.rows() {
            let numbers =
                [row.rank.to_string(), row.start.to_string(), row.end.to_string(), row.distance.to_string()];
            let labels = row.start_label.into_iter().chain(row.end_label);
            let _ = writer.write_record(numbers.iter().map(String::as_str).chain(labels));
        }
        String::from_utf8_lossy(&writer.into_inner().unwrap_or_default()).into_owned()
    }
}

/// The rank of each match: those with smaller distances before it, and one.
fn ranks(found: &[Match]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (found[*a], found[*b]);
        a.distance.total_cmp(&b.distance).then(a.end.cmp(&b.end))
    });
    let mut ranks = vec![0; found.len()];
    order.into_iter().zip(1..).for_each(|(index, rank)| ranks[index] = rank);
    ranks
}

/// A number in at most 13 characters that reads back as itself.
fn short(x: f32) -> String {
    if x == 0.0 || (1e-4..1e7).contains(&x) { x.to_string() } else { format!("{x:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_distance_whatever_the_order() {
        let found = |distances: [f32; 4]| [3, 4, 5, 6].map(|end| Match { end, distance: distances[end - 3] });
        assert_eq!(ranks(&found([2.0, 0.0, 5.0, 0.0])), [3, 1, 4, 2]);
        assert_eq!(ranks(&found([0.0, 1.0, 1.0, f32::INFINITY])), [1, 2, 3, 4]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn a_distance_reads_back_and_fits_its_column() {
        for x in
            [0.0, 1.0 / 3.0, 1e-38, 1.234_567_8e-4, 9_999_999.0, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY]
        {
            let text = short(x);
            assert!(text.len() <= 13 && text.parse() == Ok(x), "{text}");
        }
    }
}
