// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include "engines/registry_rows.hpp"
#include "engines/warm_up_gpu.hpp"

namespace gridiron {
namespace {

struct WithCuda {
  static constexpr std::string_view devices = "cpu,cuda";
  template <EngineInfo::Factory make>
  static constexpr EngineInfo::Factory on_cuda = make;
};

}  // namespace

std::span<const EngineInfo> engines() { return kEngines<WithCuda>; }

Cuda cuda_state() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0 ? Cuda::ready : Cuda::no_device;
}

void warm_up_gpu() {
  cudaFree(nullptr);
  cudaGetLastError();  // of this thread alone
}

}  // namespace gridiron
