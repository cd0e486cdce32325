// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sgml_cycles.hpp"
#include "support/error.hpp"

namespace gridiron {

CycleRates measure_cycles_on_cuda(const Problem&, const std::vector<double>&, const SgmlParams&) {
  throw InputError("this build has no CUDA; use cpu");
}

}  // namespace gridiron
