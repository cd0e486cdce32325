// SPDX-License-Identifier: Apache-2.0
#include "engines/device/cuda_device.cuh"
#include "engines/hybrid/across_devices.hpp"
#include "engines/hybrid/hybrid_on.hpp"
#include "engines/sgml/sgml_cuda.hpp"
#include "engines/sgml/sgml_on.hpp"
#include "engines/sgml/tables_solver.hpp"

namespace gridiron::sgml {
namespace {

template <class T>
std::unique_ptr<Engine> make_hybrid(const SgmlHybridParams& params) {
  return std::make_unique<HybridOn<CudaDevice, T>>(params.hybrid, list_params(params),
                                                   std::make_unique<TablesSolver<CudaDevice, T>>(params.cycle));
}

template <class T>
std::unique_ptr<RegularGridSolver<CpuDevice, T>> make_distant_solver(const SgmlParams& params) {
  return std::make_unique<AcrossDevices<CudaDevice, T>>(std::make_unique<TablesSolver<CudaDevice, T>>(params));
}

}  // namespace

std::unique_ptr<Engine> make_on_cuda(const SgmlParams& params) {
  if (params.precision == "double") return std::make_unique<SgmlOn<CudaDevice, double>>(params);
  return std::make_unique<SgmlOn<CudaDevice, float>>(params);
}

std::unique_ptr<Engine> make_hybrid_on_cuda(const SgmlHybridParams& params) {
  return params.cycle.precision == "double" ? make_hybrid<double>(params) : make_hybrid<float>(params);
}

std::unique_ptr<RegularGridSolver<CpuDevice, float>> make_distant_solver_on_cuda_fp32(const SgmlParams& params) {
  return make_distant_solver<float>(params);
}

std::unique_ptr<RegularGridSolver<CpuDevice, double>> make_distant_solver_on_cuda_fp64(const SgmlParams& params) {
  return make_distant_solver<double>(params);
}

}  // namespace gridiron::sgml
