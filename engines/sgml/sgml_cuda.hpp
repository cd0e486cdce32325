// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engines/device/cpu_device.hpp"
#include "engines/engine.hpp"
#include "engines/hybrid/regular_grid_solver.hpp"
#include "engines/sgml/params.hpp"

namespace gridiron::sgml {

/// The engine on the GPU, for grids of points. Errors of all: InputError when this build has no CUDA.
std::unique_ptr<Engine> make_on_cuda(const SgmlParams& params);

/// The same for power grids.
std::unique_ptr<Engine> make_hybrid_on_cuda(const SgmlHybridParams& params);

/// Its tables there, for an original grid on the host.
std::unique_ptr<RegularGridSolver<CpuDevice, float>> make_distant_solver_on_cuda_fp32(const SgmlParams& params);
std::unique_ptr<RegularGridSolver<CpuDevice, double>> make_distant_solver_on_cuda_fp64(const SgmlParams& params);

}  // namespace gridiron::sgml
