// SPDX-License-Identifier: Apache-2.0
#include "engines/registry_rows.hpp"
#include "engines/warm_up_gpu.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// choose_device() has refused before.
std::unique_ptr<Engine> refuse(const Settings&) { throw InputError("this is a build without CUDA"); }

struct WithoutCuda {
  static constexpr std::string_view devices = "cpu";
  template <EngineInfo::Factory>
  static constexpr EngineInfo::Factory on_cuda = refuse;
};

}  // namespace

std::span<const EngineInfo> engines() { return kEngines<WithoutCuda>; }

Cuda cuda_state() { return Cuda::not_built; }

void warm_up_gpu() {}

}  // namespace gridiron
