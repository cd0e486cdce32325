// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/gemm_cuda.cuh"
#include "engines/psc/psc_engine.hpp"
#include "engines/psc/psc_on.hpp"

namespace gridiron {

std::unique_ptr<Engine> make_psc_on_cuda(const Settings& settings) { return psc::make_psc_on<CudaDevice>(settings); }

}  // namespace gridiron
