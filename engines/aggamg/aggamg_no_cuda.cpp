// SPDX-License-Identifier: Apache-2.0
#include "engines/aggamg/aggamg_cuda.hpp"
#include "support/error.hpp"

namespace gridiron::aggamg {

std::unique_ptr<Engine> make_on_cuda(AggAmgParams) {
  throw InputError("--device cuda: this is a build without CUDA; build the preset 'cuda', or use --device cpu");
}

}  // namespace gridiron::aggamg
