//! Kernel parameters that may be written.

use core::marker::PhantomData;

use crate::rows::RowsMut;
use crate::{DeviceRepr, thread};

/// `len` elements the launch may write, each by the one thread whose index owns it.
///
/// The safe replacement of `&mut [T]`, which every thread of the launch would hold at once. It can be neither copied nor
/// indexed at will: it is given away to one of the mappings below, each of which hands an element to one thread only.
pub struct GridMut<T> {
    ptr: *mut T,
    len: u64,
    not_send: PhantomData<*mut T>,
}

impl<T: DeviceRepr> GridMut<T> {
    /// The parameter, from its two PTX parameters. Called by the code `#[kernel]` writes.
    ///
    /// # Safety
    /// - `ptr` addresses `len` elements that the launch may write and that no other parameter of it addresses.
    /// - Every thread of the launch makes it from the same two values, once.
    #[inline(always)]
    pub unsafe fn from_raw(ptr: *mut T, len: u64) -> Self {
        Self { ptr, len, not_send: PhantomData }
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Address of the first element.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.ptr
    }

    /// The elements before `at` and those from `at`.
    ///
    /// # Panics
    /// Where `at` lies past the end. Every thread must split at the same place; a place that differs between threads traps
    /// nothing, so it is not offered to safe code: `at` has to come from parameters alone.
    ///
    /// # Safety
    /// `at` is the same in every thread of the launch.
    #[inline(always)]
    pub unsafe fn split_at(self, at: u64) -> (Self, Self) {
        assert!(at <= self.len);
        // SAFETY: `at <= len`, so the pointer stays inside or one past the end.
        let right = unsafe { self.ptr.add(at as usize) };
        (Self { ptr: self.ptr, len: at, ..self }, Self { ptr: right, len: self.len - at, ..self })
    }

    /// Calls `f` with every element this thread owns and its index: those whose index is the thread's own, and every
    /// [`thread::grid_threads`]-th after it (a grid-stride loop). Neighbouring threads own neighbouring elements.
    #[inline(always)]
    pub fn for_each(self, mut f: impl FnMut(u64, &mut T)) {
        let step = thread::grid_threads();
        let mut i = thread::grid_thread_linear();
        while i < self.len {
            // SAFETY: `i < len`; no other thread reaches `i`, for `i mod grid_threads` is this thread's own index, and the
            // GridMut has been consumed.
            f(i, unsafe { &mut *self.ptr.add(i as usize) });
            i += step;
        }
    }

    /// The elements as rows, `stride` elements apart; see [`crate::rows::map_rows`].
    #[inline(always)]
    pub fn into_rows(self, stride: u64) -> RowsMut<T> {
        RowsMut::new(self.ptr, self.len, stride)
    }
}

/// A bare device address, for `unsafe` kernels: nothing is known of what it points to.
#[repr(transparent)]
pub struct DevicePtr<T> {
    ptr: *mut T,
}

impl<T> Clone for DevicePtr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DevicePtr<T> {}

impl<T: DeviceRepr> DevicePtr<T> {
    /// The parameter, from its PTX parameter. Called by the code `#[kernel]` writes.
    #[inline(always)]
    pub fn from_raw(ptr: *mut T) -> Self {
        Self { ptr }
    }

    /// The address.
    #[inline(always)]
    pub fn as_mut_ptr(self) -> *mut T {
        self.ptr
    }

    /// Element `i`.
    ///
    /// # Safety
    /// It is readable, aligned, initialised, and nobody writes it meanwhile.
    #[inline(always)]
    pub unsafe fn read(self, i: u64) -> T {
        // SAFETY: promised by the caller.
        unsafe { self.ptr.add(i as usize).read() }
    }

    /// Sets element `i`.
    ///
    /// # Safety
    /// It is writable, aligned, and nobody else uses it meanwhile.
    #[inline(always)]
    pub unsafe fn write(self, i: u64, value: T) {
        // SAFETY: promised by the caller.
        unsafe { self.ptr.add(i as usize).write(value) }
    }
}
