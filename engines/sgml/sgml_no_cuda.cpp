// SPDX-License-Identifier: Apache-2.0
#include "engines/sgml/sgml_cuda.hpp"
#include "support/error.hpp"

namespace gridiron::sgml {

std::unique_ptr<Engine> make_on_cuda(SgmlParams) {
  throw InputError("--device cuda: this is a build without CUDA; build the preset 'cuda', or use --device cpu");
}

}  // namespace gridiron::sgml
