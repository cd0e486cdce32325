// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/device/cpu_device.hpp"
#include "engines/engine.hpp"
#include "engines/gpuhmd/params.hpp"
#include "engines/hybrid/regular_grid_solver.hpp"

namespace gridiron::gpuhmd {

/// The engines on the GPU. Errors: InputError when this build has no CUDA, ResourceError when the machine has no
/// device.
std::unique_ptr<Engine> make_on_cuda(const GpuHmdParams& params);
std::unique_ptr<Engine> make_on_cuda(const GmdParams& params);

/// Their tables there, for an original grid on the host.
std::unique_ptr<RegularGridSolver<CpuDevice, float>> make_distant_solver_on_cuda_fp32(const GpuHmdParams& params);
std::unique_ptr<RegularGridSolver<CpuDevice, double>> make_distant_solver_on_cuda_fp64(const GpuHmdParams& params);

}  // namespace gridiron::gpuhmd
