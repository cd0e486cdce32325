// SPDX-License-Identifier: Apache-2.0
#include "engines/registry_rows.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

std::unique_ptr<Engine> refuse(const Settings&) {
  throw InputError("--device cuda: this is a build without CUDA; build the preset 'cuda', or use --device cpu");
}

struct WithoutCuda {
  static constexpr std::string_view devices = "cpu";
  template <EngineFactory>
  static constexpr EngineFactory on_cuda = refuse;
};

}  // namespace

std::span<const EngineInfo> engines() { return kEngines<WithoutCuda>; }

Cuda cuda_state() { return Cuda::not_built; }

}  // namespace gridiron
