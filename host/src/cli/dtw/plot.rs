//! Series, matches and distances as a drawing.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::types::{RangedCoordf64, RangedCoordi64};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement};
use plotters::prelude::{Cartesian2d, RGBColor, SVGBackend};
use plotters::style::{Color as _, TRANSPARENT, WHITE};

use super::super::output;
use super::task::Task;
use crate::error::Error;
use crate::ops::dtw::Match;

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 700;
/// The series' share of the height.
const SERIES_HEIGHT: u32 = 420;
const LINE: RGBColor = RGBColor(70, 90, 120);
const MARK: RGBColor = RGBColor(214, 39, 40);

type DrawError = DrawingAreaErrorKind<io::Error>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordi64, RangedCoordf64>>;

/// A name that is not a drawing's.
#[derive(Debug, thiserror::Error)]
#[error("the name must end with .svg")]
pub struct NameError;

/// `file`, if its name says that it is an SVG file.
///
/// # Errors
/// [`NameError`].
pub fn file_name(file: PathBuf) -> Result<PathBuf, NameError> {
    if file.extension().is_some_and(|extension| extension == "svg") { Ok(file) } else { Err(NameError) }
}

/// Draws the series with each match over it, and below it the distances with a dot at the end of each match.
///
/// # Errors
/// [`Error::Write`].
pub fn write(file: &Path, task: &Task, distances: &[f32], found: &[Match]) -> Result<(), Error> {
    output::write(file, |out| {
        let drawn = draw(&task.column, &task.series, task.query.len(), distances, found);
        out.write_all(drawn.map_err(|error| io::Error::other(error.to_string()))?.as_bytes())
    })
}

fn draw(
    column: &str,
    series: &[f32],
    m: usize,
    distances: &[f32],
    found: &[Match],
) -> Result<String, DrawError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
        root.fill(&WHITE)?;
        let (upper, lower) = root.split_vertically(SERIES_HEIGHT);
        let mut chart = panel(&upper, column, series)?;
        for found in found {
            let window = thinned(series, found.end + 1 - m..found.end + 1, per_pixel(series.len()));
            let window = window.into_iter().flatten().collect::<Vec<_>>();
            chart.draw_series([PathElement::new(window, MARK.stroke_width(3))])?;
        }
        let mut chart = panel(&lower, "distance", distances)?;
        for found in found.iter().filter(|found| found.distance.is_finite()) {
            let at = (found.end as i64, f64::from(found.distance));
            chart.draw_series([Circle::new(at, 4, MARK.filled())])?;
        }
        root.present()?;
    }
    Ok(svg)
}

/// Axes, and a line through the points; broken where they are not finite.
fn panel<'a, 'b>(area: &'a Area<'b>, name: &str, points: &[f32]) -> Result<Chart<'a, 'b>, DrawError> {
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .margin_right(40)
        .x_label_area_size(36)
        .y_label_area_size(72)
        .build_cartesian_2d(0..points.len() as i64, heights(points))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .max_light_lines(1)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .x_desc("row")
        .y_desc(name)
        .draw()?;
    for line in thinned(points, 0..points.len(), per_pixel(points.len())) {
        chart.draw_series([PathElement::new(line, LINE)])?;
    }
    Ok(chart)
}

/// From the smallest to the largest finite point and a little beyond, never empty.
fn heights(points: &[f32]) -> Range<f64> {
    let finite = points.iter().filter(|point| point.is_finite()).map(|point| f64::from(*point));
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return 0.0..1.0;
    }
    let margin = if low < high { (high - low) * 0.05 } else { low.abs().max(1.0) * 0.05 };
    low - margin..high + margin
}

/// Points that share a column of pixels.
fn per_pixel(points: usize) -> usize {
    points.div_ceil(WIDTH as usize)
}

/// The lines through the finite points of `rows`: of every `step` points the smallest and the largest, in their order. A
/// gap within `step` points is too narrow to be seen.
fn thinned(points: &[f32], rows: Range<usize>, step: usize) -> Vec<Vec<(i64, f64)>> {
    let step = step.max(1);
    let mut lines = Vec::new();
    let mut line = Vec::new();
    for first in rows.clone().step_by(step) {
        let last = (first + step).min(rows.end) - 1;
        if !points[first].is_finite() {
            lines.push(std::mem::take(&mut line));
        }
        let finite = (first..=last).filter(|row| points[*row].is_finite());
        let order = |a: &usize, b: &usize| points[*a].total_cmp(&points[*b]);
        let extremes = finite.clone().min_by(order).zip(finite.max_by(order));
        let (low, high) = extremes.unzip();
        let mut ends: Vec<usize> = low.into_iter().chain(high).collect();
        ends.sort_unstable();
        ends.dedup();
        line.extend(ends.into_iter().map(|row| (row as i64, f64::from(points[row]))));
        if !points[last].is_finite() {
            lines.push(std::mem::take(&mut line));
        }
    }
    lines.push(line);
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: f32 = f32::NAN;

    #[test]
    fn lines_end_at_gaps() {
        let points = [GAP, 1.0, 2.0, GAP, GAP, 3.0, f32::INFINITY];
        assert_eq!(thinned(&points, 0..7, 1), [vec![(1, 1.0), (2, 2.0)], vec![(5, 3.0)]]);
        assert_eq!(thinned(&points, 1..3, 1), [[(1, 1.0), (2, 2.0)]]);
        assert!(thinned(&[GAP; 3], 0..3, 1).is_empty());
    }

    #[test]
    fn many_points_keep_their_extremes_and_one_line() {
        let points = [GAP, 4.0, -1.0, 2.0, 7.0, 7.0, 7.0, 0.0, 5.0];
        let want = vec![(1, 4.0), (2, -1.0), (6, 7.0), (7, 0.0), (8, 5.0)];
        assert_eq!(thinned(&points, 0..9, 4), [want]);
        let gap = [1.0, GAP, GAP, GAP, GAP, GAP, 3.0, 3.0];
        assert_eq!(thinned(&gap, 0..8, 2), [vec![(0, 1.0)], vec![(6, 3.0), (7, 3.0)]]);
    }

    #[test]
    fn heights_are_never_empty() {
        assert_eq!(heights(&[GAP]), 0.0..1.0);
        assert_eq!(heights(&[0.0, 20.0, GAP, f32::INFINITY]), -1.0..21.0);
        for points in [[5.0; 2], [0.0; 2], [f32::MAX; 2], [-f32::MAX, f32::MAX], [1e-40, 2e-40]] {
            let heights = heights(&points);
            assert!(heights.start < heights.end && (heights.end - heights.start).is_finite(), "{heights:?}");
        }
    }

    #[test]
    fn anything_can_be_drawn() {
        let far = Match { end: 1, distance: f32::INFINITY };
        for points in [[GAP, GAP], [f32::MAX, -f32::MAX], [1e-45, 2e-45], [1e30, 1e30_f32.next_up()]] {
            let svg = draw("x", &points, 1, &points, &[far]).expect("memory takes all");
            assert!(svg.ends_with("</svg>\n"), "{svg}");
        }
    }
}
