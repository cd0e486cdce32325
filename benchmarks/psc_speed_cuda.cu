// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/psc_speed.hpp"
#include "engines/psc/gemm_cuda.cuh"

namespace gridiron::bench {
namespace {

/// nvcc keeps pointers to the functions of a kernel per translation unit. The engine's kernels are in the library
/// already, so that the benchmark needs a type of its own for its copies of them.
struct SpeedDevice : CudaDevice {};

}  // namespace

std::vector<PscSpeed> psc_speed_on_cuda(const PscCase& what) { return psc_speed_on<SpeedDevice>(what, 8192); }

}  // namespace gridiron::bench
