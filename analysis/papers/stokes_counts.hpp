// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridiron {

/// What a kernel of the Stokes engine does on a level: distinct values that it reads and writes, as if caches were
/// perfect, and its additions, subtractions, multiplications and divisions.
struct KernelCount {
  std::string name;
  double reads = 0, writes = 0, flops = 0;

  double values() const { return reads + writes; }
};

/// Counts by running each kernel of StokesKernels, in that order, on n × n elements of a device that counts.
std::vector<KernelCount> count_stokes_kernels(int64_t n);

/// How many patches of Vanka relaxation on n × n elements of a constant viscosity have each of the different inverses,
/// ascending. Inverses are formed patch by patch and are different if an entry differs by more than 1e-9 of the
/// largest.
std::vector<int64_t> patches_per_inverse(int64_t n);

}  // namespace gridiron
