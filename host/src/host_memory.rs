//! Host memory of a size that a caller names: an error where there is none. `vec!` would end the process.

use crate::ops::OpError;

/// No elements yet, and room for `len`.
pub fn room<T>(len: usize) -> Result<Vec<T>, OpError> {
    let mut none = Vec::new();
    none.try_reserve_exact(len).map_err(|_| no_room::<T>(len))?;
    Ok(none)
}

/// `len` times `value`.
pub fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, OpError> {
    let mut all = room(len)?;
    all.resize(len, value);
    Ok(all)
}

/// Makes room for `len` elements in all, or for more: for vectors that grow.
pub fn reserve<T>(all: &mut Vec<T>, len: usize) -> Result<(), OpError> {
    all.try_reserve(len.saturating_sub(all.len())).map_err(|_| no_room::<T>(len))
}

/// Makes it `len` elements, new ones `value`.
pub fn resize<T: Clone>(all: &mut Vec<T>, value: T, len: usize) -> Result<(), OpError> {
    reserve(all, len)?;
    all.resize(len, value);
    Ok(())
}

fn no_room<T>(len: usize) -> OpError {
    OpError::HostMemory { elements: len as u64, elem_bytes: size_of::<T>() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_host_has_no_room_for_is_an_error_with_the_size() {
        for len in [1 << 60, usize::MAX] {
            let want = OpError::HostMemory { elements: len as u64, elem_bytes: 4 };
            assert_eq!(room::<f32>(len).err(), Some(want.clone()));
            assert_eq!(filled(0.0_f32, len).err(), Some(want.clone()));
            let mut some = vec![1.0_f32];
            assert_eq!(resize(&mut some, 0.0, len).err(), Some(want.clone()));
            assert_eq!((reserve(&mut some, len).err(), some), (Some(want), vec![1.0]));
        }
        let text = no_room::<f32>(1 << 60).to_string();
        assert_eq!(text, "the host has no memory for 1152921504606846976 elements of 4 bytes");
    }

    #[test]
    fn there_is_as_much_as_was_asked_for() {
        assert_eq!(filled(2_u8, 3), Ok(vec![2; 3]));
        let mut all = vec![1_u8];
        resize(&mut all, 2, 3).expect("it fits");
        assert_eq!(all, [1, 2, 2]);
        resize(&mut all, 9, 1).expect("it fits");
        assert_eq!(all, [1]);
        assert!(room::<u8>(7).is_ok_and(|none| none.is_empty() && none.capacity() == 7));
    }
}
