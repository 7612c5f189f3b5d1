//! A kernel entry of loaded PTX, checked against its description.

use gpu_std::launch::{CheckedShape, Dim3, Kernel};
use ptx_parse::manifest::EntryInfo;
use ptx_sim::{LaunchConfig, LaunchError, Module, Report};

use crate::backend::DeviceInfo;
use crate::error::Error;
use crate::params::check_params;

pub(super) struct Entry {
    name: &'static str,
    cluster: u32,
    /// Bytes of static shared memory.
    fixed: u32,
    module: Loaded,
}

/// Loaded PTX, and how errors name it.
#[derive(Clone)]
pub(super) struct Loaded {
    pub module: Module,
    pub name: String,
}

impl Entry {
    /// `K`'s entry in `module`; `None` where there is none. `manifest` is what the builder wrote of it.
    pub fn resolve<K: Kernel>(
        module: Loaded,
        manifest: &EntryInfo,
        info: &DeviceInfo,
    ) -> Result<Option<Self>, Error> {
        let Some(params) = module.module.params(K::ENTRY) else { return Ok(None) };
        check_params(K::ENTRY, K::PARAMS, |index| {
            Ok(params.get(index).map(|p| (p.offset as usize, p.size as usize)))
        })?;
        if let Some(cluster) = K::CLUSTER.filter(|_| info.compute < (9, 0)) {
            let (ordinal, arch) = (info.ordinal, info.arch.clone());
            return Err(Error::NoClusters { entry: K::ENTRY, cluster, ordinal, arch });
        }
        let fixed = u32::try_from(manifest.static_shared_bytes).unwrap_or(u32::MAX);
        Ok(Some(Self { name: K::ENTRY, cluster: K::CLUSTER.unwrap_or(1), fixed, module }))
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Refuses a shape that the device has no room for.
    pub fn check_shape(&self, shape: &CheckedShape, info: &DeviceInfo) -> Result<(), Error> {
        let limit = info.shared_optin_bytes;
        if shape.shared_bytes() > limit.saturating_sub(self.fixed) {
            let (asked, fixed) = (shape.shared_bytes(), self.fixed);
            return Err(Error::SharedTooLarge { entry: self.name, asked, fixed, limit });
        }
        Ok(())
    }

    /// Runs it to its end, on `grid` and with all else as in `shape`.
    pub fn run(&self, grid: Dim3, shape: &CheckedShape, params: &[Vec<u8>]) -> Result<Report, Error> {
        let config = LaunchConfig {
            grid: extents(grid),
            block: extents(shape.block()),
            shared_bytes: shape.shared_bytes(),
            cluster: [self.cluster, 1, 1],
        };
        let Loaded { module, name } = &self.module;
        module.launch(self.name, &config, params).map_err(|error| launch_error(name, error))
    }
}

fn extents(dim: Dim3) -> [u32; 3] {
    [dim.x, dim.y, dim.z]
}

/// Findings are an error of their own: the kernel is wrong. Everything else kept the launch from running.
pub(super) fn launch_error(artefact: &str, error: LaunchError) -> Error {
    match error {
        LaunchError::Findings(findings) => {
            Error::SimFindings { artefact: artefact.to_owned(), findings: Box::new(findings) }
        }
        other => Error::SimLaunch(Box::new(other)),
    }
}
