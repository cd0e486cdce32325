// SPDX-License-Identifier: Apache-2.0
// Engine hypre in a build without the library.
#include "engines/hypre/hypre_engine.hpp"

namespace gridiron {
namespace {
constexpr const char* kMissing = "this is a build without hypre; build where libhypre-dev and MPI are installed";
}

std::optional<std::string> hypre_declines(const Problem&) { return kMissing; }
std::unique_ptr<Engine> make_hypre(const Settings&) { throw InputError(std::string("engine hypre: ") + kMissing); }
ParamList hypre_defaults() { return list_params(HypreParams{}); }

}  // namespace gridiron
