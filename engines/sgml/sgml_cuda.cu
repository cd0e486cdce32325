// SPDX-License-Identifier: Apache-2.0
#include "engines/device/cuda_device.cuh"
#include "engines/sgml/sgml_cuda.hpp"
#include "engines/sgml/sgml_on.hpp"
#include "engines/sgml/tables_on.hpp"

namespace gridiron::sgml {

std::unique_ptr<Engine> make_on_cuda(const SgmlParams& params) {
  if (params.precision == "double") return std::make_unique<SgmlOn<CudaDevice, double>>(params);
  return std::make_unique<SgmlOn<CudaDevice, float>>(params);
}

std::unique_ptr<Engine> make_hybrid_on_cuda(const SgmlHybridParams& params) {
  return make_hybrid_with_tables<CudaDevice>(params);
}

}  // namespace gridiron::sgml
