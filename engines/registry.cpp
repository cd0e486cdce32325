// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engines/cholmod/cholmod_engine.hpp"
#include "engines/engine.hpp"
#include "engines/superlu/superlu_engine.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr EngineInfo kEngines[] = {
    {"cholmod", "sparse Cholesky factorization (SuiteSparse CHOLMOD)", "cpu", cholmod_declines, make_cholmod,
     cholmod_defaults},
    {"superlu", "sparse LU factorization, for unsymmetric systems too (SuperLU)", "cpu", superlu_declines, make_superlu,
     superlu_defaults},
};

}  // namespace

std::span<const EngineInfo> engines() { return kEngines; }

const EngineInfo& find_engine(std::string_view name) {
  std::string names;
  for (const EngineInfo& engine : kEngines) {
    if (engine.name == name) return engine;
    names += (names.empty() ? "" : ", ") + std::string(engine.name);
  }
  throw InputError(fmt::format("no engine is called {:?}; this build has {}", std::string(name), names));
}

}  // namespace gridiron
