use gpu_std::swizzle::MatrixDescriptor;
use gpu_std::wgmma::{Acc, wgmma_mma_async_s8_s8};

fn product(a: MatrixDescriptor, b: MatrixDescriptor) {
    let mut acc = Acc::<i32, 40>::zero();
    unsafe { wgmma_mma_async_s8_s8(&mut acc, a, b, true) }
}

fn main() {}
