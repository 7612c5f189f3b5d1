//! Matrices as views: rows and columns over device memory or over a host slice, with a row stride.

use gpu_std::DeviceRepr;
use gpu_std::launch::{DeviceSlice, DeviceSliceMut, SliceArg};

use super::OpError;
use crate::error::Error;

/// Where the elements of a matrix lie: element (r, c) is number `r * stride + c` of its view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    rows: u64,
    cols: u64,
    stride: u64,
    span: u64,
}

impl Layout {
    /// No rows and no columns.
    pub const EMPTY: Self = Self { rows: 0, cols: 0, stride: 0, span: 0 };

    /// A matrix to read. Any stride: 0 repeats one row, less than `cols` lets rows overlap.
    ///
    /// # Errors
    /// [`OpError::SizeOverflow`] where `(rows - 1) * stride + cols` or `rows * cols` needs more than 64 bits.
    pub fn new(rows: u64, cols: u64, stride: u64) -> Result<Self, OpError> {
        let overflow = OpError::SizeOverflow { rows, cols, stride };
        if rows == 0 || cols == 0 {
            return Ok(Self { rows, cols, stride, span: 0 });
        }
        rows.checked_mul(cols).ok_or(overflow.clone())?;
        let span = (rows - 1).checked_mul(stride).and_then(|last| last.checked_add(cols)).ok_or(overflow)?;
        Ok(Self { rows, cols, stride, span })
    }

    /// A matrix to write: its rows may not overlap.
    ///
    /// # Errors
    /// As [`Layout::new`], and [`OpError::StrideTooSmall`] where several rows are less than `cols` apart.
    pub fn new_mut(rows: u64, cols: u64, stride: u64) -> Result<Self, OpError> {
        if rows > 1 && stride < cols {
            return Err(OpError::StrideTooSmall { rows, cols, stride });
        }
        Self::new(rows, cols, stride)
    }

    /// Number of rows.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Elements per row.
    pub const fn cols(&self) -> u64 {
        self.cols
    }

    /// Elements from the start of a row to the start of the next.
    pub const fn stride(&self) -> u64 {
        self.stride
    }

    /// Elements from the first of the first row to the last of the last.
    pub const fn span(&self) -> u64 {
        self.span
    }

    /// `rows * cols`.
    pub const fn elements(&self) -> u64 {
        self.rows * self.cols
    }

    /// The largest power of two, of 16 at most, that divides the address of every row of a matrix at `addr` whose elements have so many
    /// bytes.
    pub const fn alignment(&self, addr: u64, elem_bytes: u64) -> u32 {
        // A row alone has no next one. What a product that is too large loses are its high bits.
        let stride = if self.rows > 1 { self.stride.wrapping_mul(elem_bytes) } else { 0 };
        1 << (addr | stride | 16).trailing_zeros()
    }

    /// Whether there is nothing between the rows and no row overlaps another.
    pub const fn is_contiguous(&self) -> bool {
        self.rows <= 1 || self.stride == self.cols
    }

    fn split_row(&self, col: u64) -> (Self, Self) {
        assert!(self.rows == 1 && col <= self.cols, "column {col} of {self:?}");
        let row = |cols| Self { rows: 1, cols, stride: cols, span: cols };
        (row(col), row(self.cols - col))
    }

    fn split_rows(&self, row: u64) -> (Self, Self) {
        assert!(0 < row && row < self.rows, "row {row} of {self:?}");
        let Self { rows, cols, stride, .. } = *self;
        let part = |rows| Self { rows, cols, stride, span: (rows - 1) * stride + cols };
        (part(row), part(rows - row))
    }

    /// Refuses a view of fewer than [`Layout::span`] elements.
    ///
    /// # Errors
    /// [`OpError::ViewTooShort`].
    pub fn check_len(&self, len: u64) -> Result<(), OpError> {
        if len < self.span {
            let Self { rows, cols, stride, span } = *self;
            return Err(OpError::ViewTooShort { rows, cols, stride, needed: span, len });
        }
        Ok(())
    }
}

/// A matrix on the device, to read.
#[derive(Clone, Copy, Debug)]
pub struct MatrixRef<'a, T> {
    data: DeviceSlice<'a, T>,
    layout: Layout,
}

impl<'a, T: DeviceRepr> MatrixRef<'a, T> {
    /// `rows × cols` elements without gaps, from the first element of `data`.
    ///
    /// # Errors
    /// See [`MatrixRef::with_stride`].
    pub fn new(data: DeviceSlice<'a, T>, rows: u64, cols: u64) -> Result<Self, Error> {
        Self::with_stride(data, rows, cols, cols)
    }

    /// `rows × cols` elements, rows `stride` elements apart. Any stride: 0 repeats one row, 1 gives sliding windows.
    ///
    /// # Errors
    /// [`OpError::SizeOverflow`], [`OpError::ViewTooShort`].
    pub fn with_stride(data: DeviceSlice<'a, T>, rows: u64, cols: u64, stride: u64) -> Result<Self, Error> {
        let layout = Layout::new(rows, cols, stride)?;
        layout.check_len(data.len())?;
        Ok(Self { data: data.slice(0..layout.span)?, layout })
    }

    /// The elements of `row`, the same for each of `rows` rows.
    ///
    /// # Errors
    /// See [`MatrixRef::with_stride`].
    pub fn broadcast_row(row: DeviceSlice<'a, T>, rows: u64) -> Result<Self, Error> {
        Self::with_stride(row, rows, row.len(), 0)
    }

    /// Where the elements lie.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// The view from the first element to the last.
    pub const fn data(&self) -> DeviceSlice<'a, T> {
        self.data
    }
}

/// A matrix on the device, to write.
#[derive(Debug)]
pub struct MatrixMut<'a, T> {
    data: DeviceSliceMut<'a, T>,
    layout: Layout,
}

impl<'a, T: DeviceRepr> MatrixMut<'a, T> {
    /// `rows × cols` elements without gaps, from the first element of `data`.
    ///
    /// # Errors
    /// See [`MatrixMut::with_stride`].
    pub fn new(data: DeviceSliceMut<'a, T>, rows: u64, cols: u64) -> Result<Self, Error> {
        Self::with_stride(data, rows, cols, cols)
    }

    /// `rows × cols` elements, rows `stride` elements apart.
    ///
    /// # Errors
    /// [`OpError::SizeOverflow`], [`OpError::StrideTooSmall`], [`OpError::ViewTooShort`].
    pub fn with_stride(
        data: DeviceSliceMut<'a, T>,
        rows: u64,
        cols: u64,
        stride: u64,
    ) -> Result<Self, Error> {
        let layout = Layout::new_mut(rows, cols, stride)?;
        layout.check_len(data.len())?;
        Ok(Self { data: data.slice(0..layout.span)?, layout })
    }

    /// Where the elements lie.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Address of the first element on the device.
    pub const fn addr(&self) -> u64 {
        self.data.addr()
    }

    /// As the argument `name` of a launch that writes it.
    pub(crate) fn arg(&self, name: &'static str) -> SliceArg {
        SliceArg::write(name, &self.data)
    }

    /// The view from the first element to the last.
    pub fn into_data(self) -> DeviceSliceMut<'a, T> {
        self.data
    }
}

/// A matrix in host memory, to read.
#[derive(Clone, Copy, Debug)]
pub struct HostRef<'a, T> {
    data: &'a [T],
    layout: Layout,
}

impl<'a, T> HostRef<'a, T> {
    /// The matrix with this layout from the first element of `data`.
    ///
    /// # Errors
    /// [`OpError::ViewTooShort`].
    pub fn new(data: &'a [T], layout: Layout) -> Result<Self, OpError> {
        layout.check_len(data.len() as u64)?;
        Ok(Self { data: &data[..layout.span as usize], layout })
    }

    /// Where the elements lie.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// One row.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn row(&self, row: u64) -> &'a [T] {
        assert!(row < self.layout.rows, "row {row} of {}", self.layout.rows);
        // Rows without elements need not be there.
        let start = if self.layout.cols == 0 { 0 } else { (row * self.layout.stride) as usize };
        &self.data[start..start + self.layout.cols as usize]
    }

    /// The columns before `col` and those from `col`, of a matrix of one row.
    ///
    /// # Panics
    /// Where there are several rows, or fewer columns.
    pub fn split_row(self, col: u64) -> (Self, Self) {
        let (left, right) = self.layout.split_row(col);
        let (data, rest) = self.data.split_at(col as usize);
        (Self { data, layout: left }, Self { data: rest, layout: right })
    }

    /// The rows before `row` and those from `row`.
    ///
    /// # Panics
    /// Where one of them would be empty.
    pub fn split_rows(self, row: u64) -> (Self, Self) {
        let (top, bottom) = self.layout.split_rows(row);
        let rest = &self.data[(row * self.layout.stride) as usize..];
        (Self { data: &self.data[..top.span as usize], layout: top }, Self { data: rest, layout: bottom })
    }

    /// All elements from the first to the last.
    pub const fn data(&self) -> &'a [T] {
        self.data
    }
}

/// A matrix in host memory, to write.
#[derive(Debug)]
pub struct HostMut<'a, T> {
    data: &'a mut [T],
    layout: Layout,
}

impl<'a, T> HostMut<'a, T> {
    /// The matrix with this layout from the first element of `data`.
    ///
    /// # Errors
    /// [`OpError::StrideTooSmall`], [`OpError::ViewTooShort`].
    pub fn new(data: &'a mut [T], layout: Layout) -> Result<Self, OpError> {
        let layout = Layout::new_mut(layout.rows, layout.cols, layout.stride)?;
        layout.check_len(data.len() as u64)?;
        Ok(Self { data: &mut data[..layout.span as usize], layout })
    }

    /// Where the elements lie.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// One row.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn row_mut(&mut self, row: u64) -> &mut [T] {
        assert!(row < self.layout.rows, "row {row} of {}", self.layout.rows);
        let start = (row * self.layout.stride) as usize;
        &mut self.data[start..start + self.layout.cols as usize]
    }

    /// The columns before `col` and those from `col`, of a matrix of one row.
    ///
    /// # Panics
    /// Where there are several rows, or fewer columns.
    pub fn split_row(self, col: u64) -> (Self, Self) {
        let (left, right) = self.layout.split_row(col);
        let (data, rest) = self.data.split_at_mut(col as usize);
        (Self { data, layout: left }, Self { data: rest, layout: right })
    }

    /// The rows before `row` and those from `row`.
    ///
    /// # Panics
    /// Where one of them would be empty.
    pub fn split_rows(self, row: u64) -> (Self, Self) {
        let (top, bottom) = self.layout.split_rows(row);
        let (data, rest) = self.data.split_at_mut((row * self.layout.stride) as usize);
        (Self { data: &mut data[..top.span as usize], layout: top }, Self { data: rest, layout: bottom })
    }

    /// All elements from the first to the last, with what lies between the rows.
    pub fn data_mut(&mut self) -> &mut [T] {
        self.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn span_ends_with_the_last_row() {
        assert_eq!(Layout::new(3, 129, 140).map(|l| l.span()), Ok(409));
        assert_eq!(Layout::new(4096, 128, 1).map(|l| l.span()), Ok(4095 + 128));
        assert_eq!(Layout::new(4096, 128, 0).map(|l| l.span()), Ok(128));
        assert_eq!(Layout::new(0, 128, u64::MAX).map(|l| l.span()), Ok(0));
        assert_eq!(Layout::new(5, 0, u64::MAX).map(|l| l.span()), Ok(0));
    }

    #[test]
    fn size_overflow_is_refused_with_its_numbers() {
        let half = 1 << 33;
        let want = OpError::SizeOverflow { rows: half, cols: half, stride: half };
        assert_eq!(Layout::new(half, half, half), Err(want));
        assert!(matches!(Layout::new(2, 2, u64::MAX), Err(OpError::SizeOverflow { .. })));
        assert!(matches!(Layout::new(half, half, 0), Err(OpError::SizeOverflow { .. })));
    }

    #[test]
    fn overlapping_rows_may_be_read_and_not_written() {
        assert!(Layout::new(3, 5, 1).is_ok());
        assert_eq!(Layout::new_mut(3, 5, 1), Err(OpError::StrideTooSmall { rows: 3, cols: 5, stride: 1 }));
        assert!(Layout::new_mut(1, 5, 0).is_ok());
    }

    #[test]
    fn halves_of_the_rows_are_the_rows() {
        let mut data: Vec<u32> = (0..21).collect();
        let layout = Layout::new(3, 5, 8).expect("it fits");
        let (top, bottom) = HostRef::new(&data, layout).expect("it fits").split_rows(2);
        assert_eq!((top.row(1), bottom.row(0)), (&[8, 9, 10, 11, 12][..], &[16, 17, 18, 19, 20][..]));
        assert_eq!((top.layout().span(), bottom.layout().span()), (13, 5));
        let (mut top, mut bottom) = HostMut::new(&mut data, layout).expect("it fits").split_rows(1);
        (top.row_mut(0)[4], bottom.row_mut(1)[4]) = (100, 200);
        assert_eq!((data[4], data[20]), (100, 200));
        let windows = Layout::new(4, 5, 1).expect("it fits");
        let (top, bottom) = HostRef::new(&data, windows).expect("it fits").split_rows(3);
        assert_eq!((top.row(2), bottom.row(0)), (&[2, 3, 100, 5, 6][..], &[3, 100, 5, 6, 7][..]));
    }

    #[test]
    fn a_view_that_is_too_short_is_refused_with_both_lengths() {
        let layout = Layout::new(3, 5, 8).expect("it fits");
        let short = [0.0_f32; 20];
        let want = OpError::ViewTooShort { rows: 3, cols: 5, stride: 8, needed: 21, len: 20 };
        assert_eq!(HostRef::new(&short, layout).err(), Some(want.clone()));
        assert_eq!(
            want.to_string(),
            "a matrix of 3 rows and 5 columns with row stride 8 needs 21 elements; the view has 20"
        );
    }
}
