//! Global memory: the allocations of a device, and the host's side of them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::allocation::Allocation;
use super::cells::Pool;
use super::error::MemoryError;
use super::report::Object;
use super::space::{ALLOCATION_SHIFT, MAX_ALLOCATION, MAX_ALLOCATIONS};

/// The allocations of a device. Addresses are never used twice.
#[derive(Debug, Default)]
pub(crate) struct Global {
    table: RwLock<Table>,
}

/// What a launch takes a copy of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The live allocations, by number.
    pub(crate) live: Arc<Vec<Arc<Allocation>>>,
    /// The freed ones, by number.
    pub(crate) freed: Arc<BTreeMap<u64, Object>>,
    /// Race cells to be used again.
    pub(crate) pool: Arc<Pool>,
    last: u64,
}

impl Table {
    /// The live allocation of number `number`.
    pub(crate) fn find(&self, number: u64) -> Option<usize> {
        self.live.binary_search_by_key(&number, |allocation| allocation.number).ok()
    }

    /// What a message names for `address`: the allocation of its number.
    pub(crate) fn nearest(&self, address: u64) -> Option<Object> {
        let number = address >> ALLOCATION_SHIFT;
        let live = self.find(number).map(|index| self.live[index].object(false));
        live.or_else(|| self.freed.get(&number).cloned())
    }

    /// The allocation of `address`, and the offset in it.
    fn range(&self, address: u64, len: u64) -> Result<(&Arc<Allocation>, u64), MemoryError> {
        let number = address >> ALLOCATION_SHIFT;
        let Some(index) = self.find(number) else {
            return Err(match self.freed.get(&number) {
                Some(&Object { base, bytes, .. }) => MemoryError::Freed { address, base, bytes },
                None => MemoryError::Unknown { address },
            });
        };
        let allocation = &self.live[index];
        let (base, bytes) = (allocation.base(), allocation.bytes);
        match address.checked_sub(base) {
            Some(offset) if offset <= bytes && len <= bytes - offset => Ok((allocation, offset)),
            _ => Err(MemoryError::OutOfBounds { address, len, base, bytes }),
        }
    }

    fn add(
        &mut self,
        bytes: u64,
        name: Option<Arc<str>>,
        read_only: bool,
    ) -> Result<Arc<Allocation>, MemoryError> {
        if bytes > MAX_ALLOCATION {
            return Err(MemoryError::TooLarge { bytes, limit: MAX_ALLOCATION });
        }
        if self.last + 1 >= MAX_ALLOCATIONS {
            return Err(MemoryError::TooMany { limit: MAX_ALLOCATIONS - 1 });
        }
        let allocation = Arc::new(Allocation::new(self.last + 1, bytes, name, read_only)?);
        self.last += 1;
        Arc::make_mut(&mut self.live).push(Arc::clone(&allocation));
        Ok(allocation)
    }
}

impl Global {
    fn lock(&self) -> RwLockReadGuard<'_, Table> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_mut(&self) -> RwLockWriteGuard<'_, Table> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The allocations as they are now. An allocation freed later stays readable through it.
    pub(crate) fn snapshot(&self) -> Table {
        self.lock().clone()
    }

    /// `bytes` undefined bytes (0 is allowed): the base address, a multiple of 256.
    pub(crate) fn alloc(&self, bytes: u64) -> Result<u64, MemoryError> {
        Ok(self.lock_mut().add(bytes, None, false)?.base())
    }

    /// A module variable of `bytes` bytes that starts with `data`; the rest is zero. All of it is defined.
    /// A kernel that writes to a `read_only` one faults.
    pub(crate) fn alloc_init(
        &self,
        bytes: u64,
        data: &[u8],
        name: &str,
        read_only: bool,
    ) -> Result<u64, MemoryError> {
        let bytes = bytes.max(data.len() as u64);
        let allocation = self.lock_mut().add(bytes, Some(name.into()), read_only)?;
        allocation.write(0, data);
        allocation.define_by_host(0, bytes);
        Ok(allocation.base())
    }

    /// Frees the allocation that starts at `address`.
    pub(crate) fn free(&self, address: u64) -> Result<(), MemoryError> {
        let mut table = self.lock_mut();
        let (allocation, offset) = table.range(address, 0)?;
        if offset != 0 {
            let base = allocation.base();
            return Err(MemoryError::NotTheBase { address, base });
        }
        let (number, object) = (allocation.number, allocation.object(true));
        Arc::make_mut(&mut table.live).retain(|allocation| allocation.number != number);
        Arc::make_mut(&mut table.freed).insert(number, object);
        Ok(())
    }

    fn with<R>(
        &self,
        address: u64,
        len: u64,
        act: impl FnOnce(&Allocation, u64) -> R,
    ) -> Result<R, MemoryError> {
        let (allocation, offset) = {
            let table = self.lock();
            let (allocation, offset) = table.range(address, len)?;
            (Arc::clone(allocation), offset)
        };
        Ok(act(&allocation, offset))
    }

    /// Copies to the host, undefined bytes too.
    pub(crate) fn read(&self, address: u64, out: &mut [u8]) -> Result<(), MemoryError> {
        self.with(address, out.len() as u64, |allocation, offset| allocation.read(offset, out))
    }

    /// The address of the first undefined byte of a range.
    pub(crate) fn first_undefined(&self, address: u64, len: u64) -> Result<Option<u64>, MemoryError> {
        self.with(address, len, |allocation, offset| {
            let byte = allocation.first_undefined(offset, len)?;
            Some(allocation.base() + byte)
        })
    }

    /// Copies from the host; the bytes are defined from then on.
    pub(crate) fn write(&self, address: u64, data: &[u8]) -> Result<(), MemoryError> {
        self.with(address, data.len() as u64, |allocation, offset| allocation.write(offset, data))
    }

    /// Sets `len` bytes to `byte`; they are defined from then on.
    pub(crate) fn fill(&self, address: u64, len: u64, byte: u8) -> Result<(), MemoryError> {
        self.with(address, len, |allocation, offset| {
            allocation.set(offset, len, byte);
            allocation.define_by_host(offset, len);
        })
    }

    /// Copies `len` bytes from one place to another, definedness too. The ranges may overlap.
    pub(crate) fn copy(&self, to: u64, from: u64, len: u64) -> Result<(), MemoryError> {
        let undefined = |offset| self.first_undefined(offset, 1).map(|byte| byte.is_some());
        let host = usize::try_from(len).map_err(|_| MemoryError::HostMemory { bytes: len })?;
        self.with(from, len, |_, _| ())?;
        self.with(to, len, |_, _| ())?;
        let mut bytes = vec![0; host];
        self.read(from, &mut bytes)?;
        let holes = match self.first_undefined(from, len)? {
            None => Vec::new(),
            Some(_) => (0..len).map(|byte| undefined(from + byte)).collect::<Result<Vec<_>, _>>()?,
        };
        self.write(to, &bytes)?;
        for (byte, _) in (0..len).zip(&holes).filter(|(_, hole)| **hole) {
            self.with(to + byte, 1, |allocation, offset| allocation.undefine(offset, 1))?;
        }
        Ok(())
    }

    /// Sets `len` bytes to `byte` and marks them undefined.
    pub(crate) fn poison(&self, address: u64, len: u64, byte: u8) -> Result<(), MemoryError> {
        self.with(address, len, |allocation, offset| {
            allocation.set(offset, len, byte);
            allocation.undefine(offset, len);
        })
    }
}
