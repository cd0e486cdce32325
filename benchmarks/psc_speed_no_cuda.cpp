// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/psc_speed.hpp"
#include "support/error.hpp"

namespace gridiron::bench {

std::vector<PscSpeed> psc_speed_on_cuda(const PscCase&) { throw InputError("this is a build without CUDA"); }

}  // namespace gridiron::bench
