// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/gemm_cuda.cuh"
#include "engines/psc/psc_engine.hpp"
#include "engines/psc/psc_on.hpp"
#include "engines/psc/tables_on.hpp"

namespace gridiron {

std::unique_ptr<Engine> make_psc_on_cuda(const Settings& settings) {
  return psc::make_for_any(settings, psc::make_psc_on<CudaDevice>, psc::make_hybrid_with_tables<CudaDevice>);
}

}  // namespace gridiron
