//! The patterns that windows are compared with.

use super::{DtwError, Normalization};
use crate::cpu::dtw::prepared_queries;

/// At least one query, all of one length, every point finite, and normalisable where that is asked.
///
/// They may be used with options of another normalisation than they were made for: every call checks them again then, and
/// refuses what cannot be normalised.
#[derive(Clone, Copy, Debug)]
pub struct Queries<'a> {
    points: &'a [f32],
    len: usize,
    /// What they were checked for.
    normalization: Normalization,
}

impl<'a> Queries<'a> {
    /// Queries of `len` points each, one after the other in `points`.
    ///
    /// # Errors
    /// [`DtwError::EmptyQuery`], [`DtwError::NoQueries`], [`DtwError::RaggedQueries`], [`DtwError::QueryNotFinite`] with
    /// the first such point; for [`Normalization::ZScore`] also [`DtwError::QueryTooWide`] and
    /// [`DtwError::QueryFarFromMean`].
    pub fn new(points: &'a [f32], len: usize, normalization: Normalization) -> Result<Self, DtwError> {
        if len == 0 {
            return Err(DtwError::EmptyQuery);
        }
        if points.is_empty() {
            return Err(DtwError::NoQueries);
        }
        if !points.len().is_multiple_of(len) {
            return Err(DtwError::RaggedQueries { elements: points.len(), len });
        }
        let queries = Self { points, len, normalization: Normalization::None };
        queries.check_finite()?;
        queries.check_for(normalization)?;
        Ok(Self { normalization, ..queries })
    }

    /// Refuses queries that cannot be used with `normalization`; costs nothing where they were made for it, or for more.
    ///
    /// # Errors
    /// [`DtwError::QueryTooWide`] and [`DtwError::QueryFarFromMean`], as [`new`](Self::new).
    pub fn check_for(&self, normalization: Normalization) -> Result<(), DtwError> {
        match (self.normalization, normalization) {
            (Normalization::None, Normalization::ZScore) => self.check_differences(),
            _ => Ok(()),
        }
    }

    fn check_finite(&self) -> Result<(), DtwError> {
        match self.points.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(at) => Err(DtwError::QueryNotFinite {
                query: at / self.len,
                point: at % self.len,
                value: self.points[at].into(),
            }),
        }
    }

    fn check_differences(&self) -> Result<(), DtwError> {
        for (query, row) in self.rows().enumerate() {
            if let Some(point) = row.iter().position(|x| !(x - row[0]).is_finite()) {
                let (value, first) = (row[point].into(), row[0].into());
                return Err(DtwError::QueryTooWide { query, point, value, first });
            }
        }
        // An infinite point would meet the infinite one of a window: their difference is NaN.
        match prepared_queries(self, Normalization::ZScore).iter().position(|z| !z.is_finite()) {
            None => Ok(()),
            Some(at) => Err(DtwError::QueryFarFromMean {
                query: at / self.len,
                point: at % self.len,
                value: self.points[at].into(),
            }),
        }
    }

    /// How many there are: K.
    pub const fn count(&self) -> usize {
        self.points.len() / self.len
    }

    /// Points of each: m.
    #[allow(clippy::len_without_is_empty, reason = "it is never 0")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// One after the other.
    pub const fn points(&self) -> &'a [f32] {
        self.points
    }

    /// Each of them.
    pub fn rows(&self) -> std::slice::ChunksExact<'a, f32> {
        self.points.chunks_exact(self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu;
    use crate::error::Error;
    use crate::ops::dtw::stream::DeviceStream;
    use crate::ops::dtw::{
        Aggregation, ProfileOptions, ProfilePlan, SearchPlan, StreamOptions, below_on, profile_on, stream_on,
        top_k_on,
    };
    use crate::ops::recorder::{Recorder, h200};
    use crate::ops::{Executor, HostRef, Layout, OpError};

    fn refusal(points: &[f32], len: usize, normalization: Normalization) -> String {
        Queries::new(points, len, normalization).expect_err("it is refused").to_string()
    }

    #[test]
    fn queries_are_counted_and_split() {
        let queries = Queries::new(&[1.0, 2.0, 3.0, 4.0], 2, Normalization::ZScore).expect("they are right");
        assert_eq!((queries.count(), queries.len()), (2, 2));
        assert_eq!(queries.rows().collect::<Vec<_>>(), [[1.0, 2.0], [3.0, 4.0]]);
    }

    #[test]
    fn what_is_no_query_is_refused_with_its_numbers() {
        let none = Normalization::None;
        assert_eq!(refusal(&[1.0], 0, none), "a query has 0 points; it must have at least 1");
        assert_eq!(refusal(&[], 3, none), "there are 0 queries; there must be at least 1");
        assert_eq!(refusal(&[1.0; 5], 3, none), "5 elements are no whole number of queries of 3 points");
    }

    #[test]
    fn a_point_that_is_not_finite_is_named() {
        let points = [1.0, 2.0, 3.0, f32::NEG_INFINITY];
        let want = "query 1 has -inf at point 1; every point must be finite";
        assert_eq!(refusal(&points, 2, Normalization::None), want);
        let nan = refusal(&[f32::NAN], 1, Normalization::ZScore);
        assert_eq!(nan, "query 0 has NaN at point 0; every point must be finite");
    }

    /// What every call says of queries that were made to be compared raw.
    fn refusals(queries: &Queries<'_>, options: &ProfileOptions, series: &[f32]) -> Vec<Option<Error>> {
        let (cpu, none, n) = (&Executor::Cpu, Aggregation::NONE, series.len() as u64);
        let device = &Recorder::new(&h200());
        let row = HostRef::new(series, Layout::new(1, n, n).expect("it fits")).expect("it is there");
        let mut out = vec![0.0; series.len()];
        let asked = StreamOptions { profile: *options, aggregation: none, capacity: 8 };
        let of_profile = cpu::dtw::profile(row, queries, options, &mut out);
        assert!(of_profile.is_ok() || out.iter().all(|x| *x == 0.0));
        vec![
            of_profile.err().map(Error::from),
            cpu::dtw::top_k(row, queries, options, 1, 0).err().map(Error::from),
            cpu::dtw::below(row, queries, options, 1.0).err().map(Error::from),
            profile_on(cpu, series, 1, queries, options, none).err(),
            top_k_on(cpu, series, 1, queries, options, 1, 0).err(),
            top_k_on(cpu, series, 1, queries, options, 0, 0).err(),
            below_on(cpu, series, 1, queries, options, -1.0).err(),
            stream_on(cpu, queries, &asked).err(),
            ProfilePlan::new(device, 1, n, queries, options).err(),
            SearchPlan::new(device, 1, n, queries, options).err(),
            DeviceStream::new(device, queries, &asked).err(),
        ]
    }

    #[test]
    fn queries_that_cannot_be_normalised_are_refused_alike_by_every_call_that_would() {
        let (points, series) = ([-3e38, 3e38, 0.0], [1.0, 2.0, 4.0, 3.0, 5.0, 1.0]);
        let raw = Queries::new(&points, 3, Normalization::None).expect("they are finite");
        let want = Queries::new(&points, 3, Normalization::ZScore).expect_err("they are too wide");
        for got in refusals(&raw, &ProfileOptions::new(Normalization::ZScore), &series) {
            assert!(matches!(&got, Some(Error::Op(OpError::Dtw(error))) if *error == want), "{got:?}");
        }
        let none = |all: Vec<Option<Error>>| all.iter().all(Option::is_none);
        assert!(none(refusals(&raw, &ProfileOptions::new(Normalization::None), &series)));
        // What can be normalised may be used either way.
        for made_for in [Normalization::None, Normalization::ZScore] {
            let queries = Queries::new(&series[..3], 3, made_for).expect("they are right");
            for used_for in [Normalization::None, Normalization::ZScore] {
                assert!(none(refusals(&queries, &ProfileOptions::new(used_for), &series)));
            }
        }
    }

    #[test]
    fn a_query_wider_than_f32_can_be_compared_raw_only() {
        let points = [-3e38, 0.0, 3e38];
        assert!(Queries::new(&points, 3, Normalization::None).is_ok());
        let text = refusal(&points, 3, Normalization::ZScore);
        assert!(text.starts_with("query 0: point 2 (3e38) minus point 0 (-3e38) is beyond f32"), "{text}");
        let mut far = [-3e38; 16];
        far[..2].copy_from_slice(&[0.0, 3e38]);
        assert!(Queries::new(&far, 16, Normalization::None).is_ok());
        let text = refusal(&far, 16, Normalization::ZScore);
        assert!(
            text.starts_with("query 0: point 1 (3e38) is more than f32 holds away from the query's mean"),
            "{text}"
        );
    }
}
