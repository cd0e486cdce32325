// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_device.cuh"
#include "engines/sgml/sgml_engine.hpp"
#include "engines/sgml/sgml_on.hpp"
#include "engines/sgml/tables_on.hpp"

namespace gridiron {

std::unique_ptr<Engine> make_sgml_on_cuda(const Settings& settings) {
  return sgml::make_for_any(settings, sgml::make_for_points<CudaDevice>, sgml::make_hybrid_with_tables<CudaDevice>);
}

}  // namespace gridiron
