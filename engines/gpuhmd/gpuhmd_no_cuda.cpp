// SPDX-License-Identifier: Apache-2.0
#include "engines/gpuhmd/gpuhmd_cuda.hpp"
#include "support/error.hpp"

namespace gridiron::gpuhmd {
namespace {

constexpr const char* kNoCuda =
    "--device cuda: this is a build without CUDA; build the preset 'cuda', or use --device cpu";

}  // namespace

std::unique_ptr<Engine> make_on_cuda(const GpuHmdParams&) { throw InputError(kNoCuda); }
std::unique_ptr<Engine> make_on_cuda(const GmdParams&) { throw InputError(kNoCuda); }

}  // namespace gridiron::gpuhmd
