//! Memory shared by the threads of a block.
//!
//! A kernel asks for a tile by a parameter that is not passed at launch: `#[shared] tile: SharedArray<T, 256>`; its size
//! may depend on the kernel's generic parameters. `#[shared] tile: DynamicShared<T>` is the memory whose size the launch
//! gives (`LaunchShape::with_shared_bytes`). What lies in it at the start of a launch is undefined.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// What a `.shared` static holds. The linker moves statics of the section `.shared` to shared memory.
#[repr(C, align(16))]
pub struct SharedCell<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: reaching the contents needs `unsafe`, whose contract covers the threads of the block.
unsafe impl<T> Sync for SharedCell<T> {}

impl<T> SharedCell<T> {
    /// Nothing in it yet.
    #[allow(clippy::new_without_default, reason = "only ever the initialiser of a static")]
    pub const fn new() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// Address of the contents.
    #[inline(always)]
    pub fn as_mut_ptr(&self) -> *mut T {
        self.0.get().cast()
    }
}

macro_rules! accessors {
    () => {
        /// Address of the first element.
        #[inline(always)]
        pub fn as_mut_ptr(&self) -> *mut T {
            self.ptr
        }

        /// Element `i`.
        ///
        /// # Safety
        /// - `i` lies inside.
        /// - A thread of the block has written it, and a barrier lies between that write and this read unless it was this
        ///   thread; no thread writes it meanwhile.
        #[inline(always)]
        pub unsafe fn read(&self, i: usize) -> T {
            // SAFETY: promised by the caller.
            unsafe { self.ptr.add(i).read() }
        }

        /// Sets element `i`.
        ///
        /// # Safety
        /// - `i` lies inside.
        /// - No other thread of the block uses it before the next barrier.
        #[inline(always)]
        pub unsafe fn write(&self, i: usize, value: T) {
            // SAFETY: promised by the caller.
            unsafe { self.ptr.add(i).write(value) }
        }
    };
}

/// A kernel parameter that stands for shared memory. Implemented by [`SharedArray`] and [`DynamicShared`].
pub trait SharedTile: Sized {
    /// What the `.shared` static of one kernel instance holds.
    type Storage;

    /// The view of the static.
    fn of(cell: &'static SharedCell<Self::Storage>) -> Self;
}

impl<T: Copy, const N: usize> SharedTile for SharedArray<T, N> {
    type Storage = [T; N];

    #[inline(always)]
    fn of(cell: &'static SharedCell<[T; N]>) -> Self {
        Self { ptr: cell.as_mut_ptr().cast() }
    }
}

impl<T: Copy> SharedTile for DynamicShared<T> {
    type Storage = [T; 0];

    #[inline(always)]
    fn of(cell: &'static SharedCell<[T; 0]>) -> Self {
        Self { ptr: cell.as_mut_ptr().cast(), element: PhantomData }
    }
}

/// `N` elements of static shared memory.
#[derive(Clone, Copy)]
pub struct SharedArray<T, const N: usize> {
    ptr: *mut T,
}

impl<T: Copy, const N: usize> SharedArray<T, N> {
    /// Number of elements.
    pub const LEN: usize = N;

    accessors!();
}

/// Dynamic shared memory, as elements of `T`, aligned to 128 bytes.
#[derive(Clone, Copy)]
pub struct DynamicShared<T> {
    ptr: *mut T,
    element: PhantomData<T>,
}

impl<T: Copy> DynamicShared<T> {
    accessors!();
}
