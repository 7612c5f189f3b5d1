//! Multiplies two 2 x 3 matrices element by element on the GPU.

use host::ops::{MatrixMut, MatrixRef, cross};
use host::runtime::{Device, Error, Gpu};

fn main() -> Result<(), Error> {
    let stream = Gpu::open(0)?.stream()?;
    let a = stream.upload(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let b = stream.upload(&[0.5_f32; 6])?;
    let mut y = stream.alloc(6)?;
    let (a, b) = (MatrixRef::new(a.as_slice(), 2, 3)?, MatrixRef::new(b.as_slice(), 2, 3)?);
    cross::hadamard(&stream, a, b, MatrixMut::new(y.as_mut_slice(), 2, 3)?)?;
    println!("{:?}", stream.download(y.as_slice())?);
    Ok(())
}
