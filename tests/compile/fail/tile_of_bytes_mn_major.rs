use gpu_std::swizzle::{Swizzle, TileLayout};

const B: TileLayout = TileLayout::mn_major::<i8>(128, 32, Swizzle::B128);

fn main() {
    let _ = B;
}
