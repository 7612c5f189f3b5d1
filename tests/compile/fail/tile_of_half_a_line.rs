use gpu_std::swizzle::{Swizzle, TileLayout};

const A: TileLayout = TileLayout::k_major::<i8>(64, 64, Swizzle::B128);

fn main() {
    let _ = A;
}
