// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/sgml_cuda.hpp"
#include "support/error.hpp"

namespace gridiron::sgml {
namespace {

[[noreturn]] void refuse() {
  throw InputError("--device cuda: this is a build without CUDA; build the preset 'cuda', or use --device cpu");
}

}  // namespace

std::unique_ptr<Engine> make_on_cuda(const SgmlParams&) { refuse(); }
std::unique_ptr<Engine> make_hybrid_on_cuda(const SgmlHybridParams&) { refuse(); }

}  // namespace gridiron::sgml
