//! Runs a program in the simulator.

use ptx_sim::{Device, LaunchConfig, Options};

use super::map::Over;
use super::program::{ENTRY, Program};

/// What `program` writes in the simulator. Warps run in an order that `seed` chooses.
///
/// # Errors
/// Text that it does not load, or anything it finds wrong.
pub fn run(program: &Program, seed: u64) -> Result<Vec<u8>, String> {
    let fault = |error: &dyn std::error::Error| format!("{}: {error}", program.name);
    let device = Device::new(Options::default().seed(seed).threads(1).step_limit(1_000_000));
    let module = device.load_text(&program.name, &program.text).map_err(|e| fault(&e))?;
    let input = device.alloc(program.input.len().max(1) as u64).map_err(|e| fault(&e))?;
    device.write(input, &program.input).map_err(|e| fault(&e))?;
    let mut bytes = vec![0; program.output_bytes + program.scratch_bytes];
    let output = device.alloc(bytes.len() as u64).map_err(|e| fault(&e))?;
    device.write(output, &bytes).map_err(|e| fault(&e))?;
    let config = LaunchConfig {
        grid: program.grid,
        block: program.block,
        shared_bytes: program.shared_bytes,
        cluster: program.cluster,
    };
    let mut params = [input, output].map(|address| address.to_le_bytes().to_vec()).to_vec();
    if let Some(map) = &program.map {
        let over = if map.over == Over::Input { input } else { output };
        params.push(map.simulated(over).map_err(|e| fault(&e))?.to_bytes().to_vec());
    }
    module.launch(ENTRY, &config, &params).map_err(|e| fault(&e))?;
    device.read(output, &mut bytes).map_err(|e| fault(&e))?;
    bytes.truncate(program.output_bytes);
    Ok(bytes)
}
