//! What the matrix instructions of a warp give, written naively from the ISA's formulas of each shape (“Matrix Fragments for
//! mma.m16n8k8”, “… mma.m16n8k16”, “… mma.m16n8k32”, “ldmatrix”). Registers are arrays by lane.

use ptx_sim::MatrixBound;

/// The types of A and B, as PTX names them, and what becomes of sums.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// Of A.
    pub a: &'a str,
    /// Of B.
    pub b: &'a str,
    /// Whether an i32 stays at its ends.
    pub satfinite: bool,
}

/// The form of the instruction of this full name; `None` when it is no `mma`.
pub fn form(instruction: &str) -> Option<Form<'_>> {
    let words: Vec<&str> = instruction.split('.').collect();
    let [.., _, a, b, _] = words.as_slice() else { return None };
    (words[0] == "mma").then_some(Form { a, b, satfinite: words.contains(&"satfinite") })
}

/// Elements in a register.
fn per_register(ty: &str) -> usize {
    match ty {
        "s8" | "u8" => 4,
        "f16" | "bf16" => 2,
        _ => 1,
    }
}

/// Row and column of element `i` of a lane's part of A.
fn place_of_a(ty: &str, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = (lane >> 2, lane % 4);
    match ty {
        "s8" | "u8" => (
            if i < 4 || (8..12).contains(&i) { group } else { group + 8 },
            thread * 4 + (i & 3) + if i < 8 { 0 } else { 16 },
        ),
        "f16" | "bf16" => (
            if i < 2 || (4..6).contains(&i) { group } else { group + 8 },
            thread * 2 + (i & 1) + if i < 4 { 0 } else { 8 },
        ),
        _ => (if i == 0 || i == 2 { group } else { group + 8 }, if i < 2 { thread } else { thread + 4 }),
    }
}

/// Row and column of element `i` of a lane's part of B.
fn place_of_b(ty: &str, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = (lane >> 2, lane % 4);
    let row = match ty {
        "s8" | "u8" => thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 },
        "f16" | "bf16" => thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 },
        _ => thread + if i == 0 { 0 } else { 4 },
    };
    (row, group)
}

/// Row and column of element `i` of a lane's part of C and D.
fn place_of_c(lane: usize, i: usize) -> (usize, usize) {
    (if i < 2 { lane >> 2 } else { (lane >> 2) + 8 }, lane % 4 * 2 + (i & 1))
}

/// Element `i` of registers. `mma` looks at the upper 19 bits of a tf32.
fn value(ty: &str, registers: &[u32], i: usize) -> f64 {
    let per = per_register(ty);
    let bits = registers[i / per] >> (32 / per * (i % per));
    match ty {
        "s8" => f64::from(bits as i8),
        "u8" => f64::from(bits as u8),
        "f16" => half::f16::from_bits(bits as u16).into(),
        "bf16" => half::bf16::from_bits(bits as u16).into(),
        _ => f64::from(f32::from_bits(bits >> 13 << 13)),
    }
}

/// Checks the result of a warp: `lanes` are the registers of A (4), B (2) and C (4) of each lane, `got` those of D. Integers must
/// be equal, floats within the bound.
///
/// # Errors
/// The first element that is not what it should be.
pub fn check(form: Form, lanes: &[[u32; 10]], got: &[[u32; 4]]) -> Result<(), String> {
    let (mut a, mut b, mut c) = ([[0.0; 32]; 16], [[0.0; 8]; 32], [[0_u32; 8]; 16]);
    for (lane, words) in lanes.iter().enumerate() {
        for i in 0..4 * per_register(form.a) {
            let (row, column) = place_of_a(form.a, lane, i);
            a[row][column] = value(form.a, &words[..4], i);
        }
        for i in 0..2 * per_register(form.b) {
            let (row, column) = place_of_b(form.b, lane, i);
            b[row][column] = value(form.b, &words[4..6], i);
        }
        for i in 0..4 {
            let (row, column) = place_of_c(lane, i);
            c[row][column] = words[6 + i];
        }
    }
    for (lane, got) in got.iter().enumerate() {
        for (i, got) in got.iter().enumerate() {
            let (row, column) = place_of_c(lane, i);
            let k = 8 * per_register(form.a);
            let products: Vec<f64> = (0..k).map(|k| a[row][k] * b[k][column]).collect();
            element(form, &products, c[row][column], *got)
                .map_err(|why| format!("row {row}, column {column} (register {i} of lane {lane}): {why}"))?;
        }
    }
    Ok(())
}

fn element(form: Form, products: &[f64], c: u32, got: u32) -> Result<(), String> {
    if per_register(form.a) == 4 {
        let sum = products.iter().map(|x| *x as i64).sum::<i64>() + i64::from(c as i32);
        let stays = sum.clamp(i32::MIN.into(), i32::MAX.into());
        let want = if form.satfinite { stays } else { sum } as u32;
        return if got == want { Ok(()) } else { Err(format!("got {got:#x}, want {want:#x}")) };
    }
    let (c, got) = (f64::from(f32::from_bits(c)), f32::from_bits(got));
    let exact = products.iter().sum::<f64>() + c;
    let magnitudes = products.iter().map(|x| x.abs()).sum::<f64>() + c.abs();
    let bound = MatrixBound { k: products.len() as u32 };
    if bound.allows(exact, magnitudes, got) {
        Ok(())
    } else {
        Err(format!("got {got:e}, want {exact:e} ± {:e}", bound.tolerance(magnitudes)))
    }
}

/// Where half `half` of a lane's register lies in a matrix of 8 x 8 elements of 16 bits.
fn place_in_matrix(lane: usize, half: usize, transposed: bool) -> (usize, usize) {
    let (row, column) = (lane / 4, 2 * (lane % 4) + half);
    if transposed { (column, row) } else { (row, column) }
}

/// The registers that `ldmatrix` of `count` matrices loads: `tile` is memory in rows of 16 bytes, `rows` the row of each lane's
/// address.
pub fn loaded(tile: &[[u32; 4]], rows: &[u32], count: usize, transposed: bool) -> Vec<Vec<u32>> {
    let register = |lane: usize, matrix: usize| {
        (0..2).fold(0, |word, half| {
            let (row, column) = place_in_matrix(lane, half, transposed);
            let words = tile[rows[8 * matrix + row] as usize];
            word | (words[column / 2] >> (16 * (column % 2)) & 0xffff) << (16 * half)
        })
    };
    (0..32).map(|lane| (0..count).map(|matrix| register(lane, matrix)).collect()).collect()
}

/// Stores the registers of each lane to `tile` as `stmatrix` does, a matrix each.
pub fn store(tile: &mut [[u32; 4]], rows: &[u32], registers: &[Vec<u32>], transposed: bool) {
    for (lane, registers) in registers.iter().enumerate() {
        for (matrix, register) in registers.iter().enumerate() {
            for half in 0..2 {
                let (row, column) = place_in_matrix(lane, half, transposed);
                let word = &mut tile[rows[8 * matrix + row] as usize][column / 2];
                let shift = 16 * (column % 2);
                *word = *word & !(0xffff << shift) | (register >> (16 * half) & 0xffff) << shift;
            }
        }
    }
}
