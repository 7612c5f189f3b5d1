//! The windows that a launch has found, on their way to the host.

use gpu_std::launch::DeviceSliceMut;
use kernels_gpu::dtw::found::{FOUND, HEADER, LISTED, NONE, ROWS, split};

use crate::backend::{Buffer as _, Device};
use crate::error::Error;
use crate::ops::dtw::Match;

/// Windows that come in the first download.
const FIRST: u64 = 1 << 10;

/// Room at first, in windows.
const ROOM: u64 = 1 << 15;

/// A buffer that windows are reported to, behind words that count.
pub(super) struct Found<D: Device> {
    words: D::Buffer<u64>,
}

/// What a launch has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Windows listed since the list was begun.
    pub listed: u64,
    /// Rows of matrices, over all lanes, in the last launch.
    pub rows: u64,
}

/// Windows with their distances, or that there were too many.
pub(super) enum Report {
    /// All of them, as entries.
    Entries(Vec<u64>),
    /// There was no room for all; there is now.
    Overflow,
}

impl<D: Device> Found<D> {
    /// # Errors
    /// The device's.
    pub fn new(device: &D) -> Result<Self, Error> {
        Ok(Self { words: device.alloc(HEADER + ROOM)? })
    }

    /// Counts from 0.
    ///
    /// # Errors
    /// The device's.
    pub fn reset(&mut self, device: &D) -> Result<(), Error> {
        device.fill_bytes(self.words.as_mut_slice().slice(0..HEADER)?, 0)
    }

    /// To be reported to.
    pub fn words(&mut self) -> DeviceSliceMut<'_, u64> {
        self.words.as_mut_slice()
    }

    /// What has been found since the last time.
    ///
    /// # Errors
    /// The device's, or that of the work before.
    pub fn take(&mut self, device: &D) -> Result<(Report, Counts), Error> {
        let room = self.words.len() - HEADER;
        let first = HEADER + FIRST.min(room);
        let mut words = device.download(self.words.as_slice().slice(0..first)?)?;
        let count = words[FOUND];
        let counts = Counts { listed: words[LISTED], rows: words[ROWS] };
        if count > room {
            self.words = device.alloc(HEADER + count.next_power_of_two())?;
            let mut header = vec![0; HEADER as usize];
            header[LISTED] = counts.listed;
            device.write(&header, self.words.as_mut_slice().slice(0..HEADER)?)?;
            return Ok((Report::Overflow, counts));
        }
        device.fill_bytes(self.words.as_mut_slice().slice(0..LISTED as u64)?, 0)?;
        words.truncate((HEADER + count.min(FIRST)) as usize);
        if count > FIRST {
            words.extend(device.download(self.words.as_slice().slice(first..HEADER + count)?)?);
        }
        words.drain(..HEADER as usize);
        Ok((Report::Entries(words), counts))
    }
}

/// Windows that end `ahead` points behind their number.
pub(super) fn matches(entries: &[u64], ahead: u64) -> impl Iterator<Item = Match> {
    entries.iter().filter(|entry| **entry != NONE).map(move |entry| {
        let (distance, window) = split(*entry);
        Match { end: (u64::from(window) + ahead) as usize, distance }
    })
}
