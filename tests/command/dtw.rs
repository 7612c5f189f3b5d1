//! `warpsmith dtw` on the S&P 500 and on small files.

use std::path::Path;
use std::process::Output;

use tests::described::workspace;

use super::warpsmith;

/// The search of the README and of the demo, but for what follows.
const SEARCH: &str = "dtw search --series data/sp500_daily.csv --column Close --query-rows 4000..4032 --radius 3 --backend cpu";

/// Runs a command line without quotes.
pub fn run(line: &str) -> Output {
    warpsmith(&line.split_whitespace().collect::<Vec<_>>())
}

/// What a command line that succeeds prints; nothing of it is on standard error.
fn printed(line: &str) -> String {
    let output = run(line);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{line}: {error}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// A file of this text in `folder`, and its path.
pub fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("it is writable");
    path.display().to_string()
}

/// A series with a gap: 0 1 2 3 _ 1 2 3 1.
fn gap(folder: &Path) -> String {
    file(folder, "gap.csv", "x\n0\n1\n2\n3\n\n\"\"\n1\n2\n3\n1\n")
}

#[test]
fn the_search_prints_what_the_readme_shows() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).expect("it is there");
    let (_, shown) = readme.split_once("```console\n$ warpsmith ").expect("a command");
    let (shown, _) = shown.split_once("```").expect("its end");
    let (line, want) = shown.split_once('\n').expect("its output");
    assert!(line.starts_with("dtw search "), "{line}");
    assert_eq!(printed(line), want);
}

#[test]
fn neighbours_are_found_where_nothing_is_excluded() {
    let want = "\
rank     start       end      distance  Date
   1      4000      4031             0  11/25/2014 to 1/12/2015
   2      4001      4032      0.133273  11/26/2014 to 1/13/2015
   3      3999      4030     0.3117634  11/24/2014 to 1/9/2015
   4      4002      4033     0.5642973  11/28/2014 to 1/14/2015
   5      3998      4029     1.5314051  11/21/2014 to 1/8/2015
   6      4003      4034     2.2820706  12/1/2014 to 1/15/2015
dtw: 6 of 5000 windows: data/sp500_daily.csv, column Close, query rows 4000..4032 of 32 points, radius 3, z-normalised, on cpu
";
    assert_eq!(printed(&format!("{SEARCH} --top 6 --exclude 0")), want);
}

#[test]
fn csv_has_the_same_below_a_header() {
    let want = "\
rank,start,end,distance,start_label,end_label
1,4000,4031,0,11/25/2014,1/12/2015
2,4056,4087,4.5459085,2/18/2015,4/2/2015
";
    assert_eq!(printed(&format!("{SEARCH} --top 2 --csv")), want);
}

#[test]
fn json_has_an_object_per_match_and_one_for_the_whole() {
    let text = printed(&format!("{SEARCH} --top 2 --json"));
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let second = serde_json::json!({
        "rank": 2, "start": 4056, "end": 4087, "distance": 4.5459085,
        "start_label": "2/18/2015", "end_label": "4/2/2015",
    });
    let whole = serde_json::json!({
        "series": "data/sp500_daily.csv", "column": "Close", "points": 5031, "windows": 5000, "matches": 2,
        "query": "rows 4000..4032", "query_points": 32, "radius": 3, "normalization": "zscore", "smoothing": 1,
        "backend": "cpu", "reason": null,
    });
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1..], [second, whole]);
}

#[test]
fn an_infinite_distance_is_null_in_json_as_the_help_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", "x\n3e38\n-3e38\n");
    let text = printed(&format!(
        "dtw search --series {series} --column x --query-rows 0..1 --radius 0 --normalization none --top 2 --exclude 0 \
         --json --backend cpu"
    ));
    let distance =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["distance"].clone();
    let distances: Vec<_> = text.lines().take(2).map(distance).collect();
    assert_eq!(distances, [serde_json::json!(0.0), serde_json::Value::Null]);
    let help = printed("dtw search --help").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("a distance beyond f32, +inf, is null"), "{help}");
}

#[test]
fn a_threshold_keeps_what_is_at_most_as_far() {
    let starts = |options: &str| -> Vec<String> {
        let text = printed(&format!("{SEARCH} --csv {options}"));
        text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(starts("--threshold 0.5642973"), ["3999", "4000", "4001", "4002"]);
    assert_eq!(starts("--threshold 0.5642972"), ["3999", "4000", "4001"]);
    assert_eq!(starts("--threshold 0.5 --top 2 --exclude 0"), ["4000", "4001"]);
    assert_eq!(starts("--threshold 4.55 --top 9"), ["4000", "4056"]);
    assert!(starts("--threshold -1").is_empty());
}

#[test]
fn without_top_the_rank_is_that_of_the_distance_and_the_order_that_of_the_series() {
    let want = "\
rank,start,end,distance,start_label,end_label
3,3999,4030,0.3117634,11/24/2014,1/9/2015
1,4000,4031,0,11/25/2014,1/12/2015
2,4001,4032,0.133273,11/26/2014,1/13/2015
";
    assert_eq!(printed(&format!("{SEARCH} --threshold 0.5 --csv")), want);
    let text = printed(&format!("{SEARCH} --threshold 0.5 --json"));
    let rank = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["rank"].clone();
    assert_eq!(text.lines().take(3).map(rank).collect::<Vec<_>>(), [3, 1, 2]);
    let text = printed(&format!("{SEARCH} --threshold 0.5"));
    let ranks: Vec<&str> =
        text.lines().skip(1).take(3).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(ranks, ["3", "1", "2"]);
}

#[test]
fn rows_that_are_the_query_are_smoothed_as_windows_are() {
    for normalization in ["none", "zscore"] {
        let options = format!("--smoothing 5 --normalization {normalization} --csv");
        let text = printed(&format!("{SEARCH} --top 2 {options}"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "1,4000,4031,0,11/25/2014,1/12/2015", "{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", "x\n0\n2\n4\n8\n6\n");
    let query = file(folder.path(), "q.csv", "x\n3\n6\n");
    let task =
        format!("--series {series} --column x --radius 0 --normalization none --smoothing 2 --backend cpu");
    let found = |query: &str| printed(&format!("dtw search {task} {query} --top 1 --csv"));
    assert_eq!(found("--query-rows 2..4"), "rank,start,end,distance\n1,2,3,0\n");
    // The means 3 and 6 of those rows; of a file they are taken as they are.
    assert_eq!(found(&format!("--query {query}")), found("--query-rows 2..4"));
}

#[test]
fn labels_stay_on_their_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", "\"d\nay\",x\n\"a\nb\",1\n\"c\td\",2\n");
    let search =
        format!("dtw search --series {series} --column x --query-rows 0..2 --radius 0 --top 1 --backend cpu");
    let text = printed(&search);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].ends_with("  d\\nay") && lines[1].ends_with("  a\\nb to c\\td"), "{text}");
    // For programs they are what they are.
    assert!(printed(&format!("{search} --csv")).ends_with(",\"a\nb\",c\td\n"));
}

#[test]
fn a_query_of_its_own_file_is_found_raw_and_around_gaps() {
    let folder = tempfile::tempdir().expect("a folder");
    let (series, query) = (gap(folder.path()), file(folder.path(), "q.csv", "id,x\na,1\nb,2\nc,3\n"));
    let text = printed(&format!(
        "dtw search --series {series} --column x --query {query} --radius 2 --top 9 --exclude 0 --normalization none \
         --csv --backend cpu"
    ));
    // Windows over row 4 have no distance, and a file of one column has no labels.
    assert_eq!(text, "rank,start,end,distance\n1,1,3,0\n2,5,7,0\n3,0,2,2\n4,6,8,5\n");
}

#[test]
fn a_profile_in_csv_reads_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (series, out) = (gap(folder.path()), folder.path().join("out.csv"));
    let text = printed(&format!(
        "dtw profile --series {series} --column x --query-rows 1..3 --radius 0 --normalization none --rolling 2 --out {} \
         --backend cpu",
        out.display()
    ));
    assert!(text.starts_with("dtw: 8 windows in ") && text.ends_with("radius 0, raw, on cpu\n"), "{text}");
    let want = "\
row,distance,mean,min,max,variance
0,NaN,NaN,NaN,NaN,NaN
1,2,0.5,0,1,0.25
2,0,1.5,1,2,0.25
3,2,2.5,2,3,0.25
4,NaN,NaN,NaN,NaN,NaN
5,NaN,NaN,NaN,NaN,NaN
6,0,1.5,1,2,0.25
7,2,2.5,2,3,0.25
8,5,2,1,3,1
";
    assert_eq!(std::fs::read_to_string(out).expect("it was written"), want);
}

#[test]
fn aggregates_of_distances_are_columns_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", "x\n0\n1\n2\n4\n");
    let query = file(folder.path(), "q.csv", "x\n1\n2\n");
    let out = folder.path().join("out.csv");
    printed(&format!(
        "dtw profile --series {series} --column x --query {query} --radius 0 --normalization none --rolling-distances 2 \
         --out {} --backend cpu",
        out.display()
    ));
    let want = "\
row,distance,distance_mean,distance_min,distance_max,distance_variance
0,NaN,NaN,NaN,NaN,NaN
1,2,NaN,NaN,NaN,NaN
2,0,1,0,2,1
3,5,2.5,0,5,6.25
";
    assert_eq!(std::fs::read_to_string(out).expect("it was written"), want);
}

#[test]
fn labels_and_smoothing_are_in_the_profile_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", "day,x\n\"a,b\",1\nc,3\nd,5\n");
    let query = file(folder.path(), "q.csv", "x\n2\n");
    let out = folder.path().join("out.csv");
    let text = printed(&format!(
        "dtw profile --series {series} --column x --query {query} --radius 0 --normalization none --smoothing 2 --out {} \
         --backend cpu",
        out.display()
    ));
    assert!(text.contains(", radius 0, raw, over means of 2, on cpu"), "{text}");
    let text = std::fs::read_to_string(out).expect("it was written");
    assert_eq!(text, "row,day,distance\n0,\"a,b\",NaN\n1,c,0\n2,d,4\n");
}

/// Shape and numbers of an .npy file of floats.
fn npy(path: &Path) -> (Vec<u64>, Vec<f32>) {
    let bytes = std::fs::read(path).expect("it was written");
    let file = npyz::NpyFile::new(&bytes[..]).expect("a header");
    assert_eq!(file.order(), npyz::Order::C);
    (file.shape().to_vec(), file.into_vec().expect("float32"))
}

#[test]
fn a_profile_in_npy_has_the_numbers_of_the_csv() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = |name: &str, rolling: &str| {
        let (command, out) = (SEARCH.replace("search", "profile"), folder.path().join(name));
        printed(&format!("{command} {rolling} --out {}", out.display()));
        out
    };
    let (shape, numbers) = npy(&profile("plain.npy", ""));
    assert_eq!((shape, numbers.len()), (vec![5031], 5031));
    assert!(numbers[..31].iter().all(|x| x.is_nan()) && numbers[31..].iter().all(|x| x.is_finite()));
    assert_eq!((numbers[4031], numbers[4087]), (0.0, 4.545_908_5));

    let (shape, numbers) = npy(&profile("rolling.npy", "--rolling 5"));
    assert_eq!(shape, [5031, 5]);
    let text = std::fs::read_to_string(profile("rolling.csv", "--rolling 5")).expect("it was written");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').skip(2));
    let same = |(cell, number): (&str, &f32)| {
        cell.parse::<f32>().is_ok_and(|x| x.to_bits() == number.to_bits() || x.is_nan() && number.is_nan())
    };
    assert_eq!(cells.clone().count(), numbers.len());
    assert!(cells.zip(&numbers).all(same));
}

/// How many elements have this name and value of an attribute.
fn count(svg: &roxmltree::Document<'_>, name: &str, attribute: &str, value: &str) -> usize {
    let is = |node: &roxmltree::Node<'_, '_>| node.has_tag_name(name) || node.tag_name().name() == name;
    svg.descendants().filter(|node| is(node) && node.attribute(attribute) == Some(value)).count()
}

#[test]
fn the_plot_marks_every_match_in_both_panels() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.svg");
    printed(&format!("{SEARCH} --top 5 --plot {}", out.display()));
    let text = std::fs::read_to_string(out).expect("it was written");
    let svg = roxmltree::Document::parse(&text).expect("it is XML");
    assert_eq!(svg.root_element().tag_name().name(), "svg");
    assert_eq!(count(&svg, "polyline", "stroke", "#D62728"), 5);
    assert_eq!(count(&svg, "circle", "fill", "#D62728"), 5);
    // The series and its distances, one line each.
    assert_eq!(count(&svg, "polyline", "stroke", "#465A78"), 2);
    let texts: Vec<&str> = svg.descendants().filter_map(|node| node.text()).map(str::trim).collect();
    for want in ["Close", "distance", "row"] {
        assert!(texts.contains(&want), "{want}: {texts:?}");
    }
}

#[test]
fn a_plot_can_be_drawn_of_anything() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.svg");
    let cases = [
        ("gap", "a<b&\"c\"\n0\n1\n\"\"\n2\n", "0..1", 3),
        ("constant", "x\n7\n7\n7\n", "0..2", 2),
        ("huge", "x\n3e38\n-3e38\n3e38\n0\n", "0..1", 4),
        ("point", "x\n5\n", "0..1", 1),
    ];
    for (name, text, rows, marks) in cases {
        let series = file(folder.path(), "s.csv", text);
        let column = text.lines().next().unwrap_or_default();
        let column = if name == "gap" { "a<b&\"c\"" } else { column };
        let line =
            format!("dtw search --series {series} --column {column} --query-rows {rows} --radius 1 --top 9");
        printed(&format!("{line} --exclude 0 --normalization none --backend cpu --plot {}", out.display()));
        let text = std::fs::read_to_string(&out).expect("it was written");
        let svg = roxmltree::Document::parse(&text).expect("it is XML");
        assert_eq!(count(&svg, "polyline", "stroke", "#D62728"), marks, "{name}: {text}");
    }
}
