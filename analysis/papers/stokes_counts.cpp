// SPDX-License-Identifier: Apache-2.0
#include "analysis/papers/stokes_counts.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/papers/counting_device.hpp"
#include "analysis/papers/stokes_kernels.hpp"

namespace gridiron {
namespace {

bool are_alike(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, difference = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    largest = std::max(largest, std::abs(a[k]));
    difference = std::max(difference, std::abs(a[k] - b[k]));
  }
  return difference <= 1e-9 * largest;
}

}  // namespace

std::vector<KernelCount> count_stokes_kernels(int64_t n) {
  StokesKernels<CountingDevice, CountedFloat> kernels(n);
  Traffic& traffic = Traffic::current();
  std::vector<KernelCount> counts;
  for (const auto& kernel : kernels.all()) {
    traffic.reset();
    kernel.run();
    counts.push_back({kernel.name, static_cast<double>(traffic.read.size()),
                      static_cast<double>(traffic.written.size()), static_cast<double>(traffic.flops)});
  }
  traffic.reset();
  return counts;
}

std::vector<int64_t> patches_per_inverse(int64_t n) {
  StokesGrid grid;
  grid.elements = {n, n};
  grid.spacing = {1, 1};
  std::vector<std::vector<double>> inverses;
  std::vector<int64_t> patches;
  for (int64_t j = 0; j <= n; ++j)
    for (int64_t i = 0; i <= n; ++i) {
      std::vector<double> inverse = stokes::vanka_inverse(grid, i, j, 1);
      const auto same = std::ranges::find_if(inverses, [&](const auto& other) { return are_alike(inverse, other); });
      if (same == inverses.end()) {
        inverses.push_back(std::move(inverse));
        patches.push_back(1);
      } else {
        ++patches[same - inverses.begin()];
      }
    }
  std::ranges::sort(patches);
  return patches;
}

}  // namespace gridiron
