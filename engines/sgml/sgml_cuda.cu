// SPDX-License-Identifier: Apache-2.0
#include "engines/device/cuda_device.cuh"
#include "engines/sgml/sgml_cuda.hpp"
#include "engines/sgml/sgml_on.hpp"

namespace gridiron::sgml {

std::unique_ptr<Engine> make_on_cuda(SgmlParams params) {
  if (params.precision == "double") return std::make_unique<SgmlOn<CudaDevice, double>>(std::move(params));
  return std::make_unique<SgmlOn<CudaDevice, float>>(std::move(params));
}

}  // namespace gridiron::sgml
