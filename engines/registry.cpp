// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include "engines/aggamg/aggamg_engine.hpp"
#include "engines/cholmod/cholmod_engine.hpp"
#include "engines/engine.hpp"
#include "engines/gpuhmd/gmd_engine.hpp"
#include "engines/gpuhmd/gpuhmd_engine.hpp"
#include "engines/sgml/sgml_engine.hpp"
#include "engines/superlu/superlu_engine.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// Up to here a factorization takes a fraction of a second on grids and is exact, whatever the conductances; beyond,
/// its time and memory grow faster than multigrid's.
constexpr std::int64_t kDirectUpTo = 200'000;

constexpr EngineInfo kEngines[] = {
    {"cholmod", "sparse Cholesky factorization (SuiteSparse CHOLMOD)", "cpu", cholmod_declines, make_cholmod,
     cholmod_defaults, nullptr, kDirectUpTo},
    {"superlu", "sparse LU factorization, for unsymmetric systems too (SuperLU)", "cpu", superlu_declines, make_superlu,
     superlu_defaults, nullptr, kDirectUpTo},
    {"aggamg", "aggregation algebraic multigrid with K-cycles", GRIDIRON_DEVICES, aggamg_declines, make_aggamg,
     aggamg_defaults, make_aggamg_on_cuda},
    {"gpuhmd", "hybrid geometric multigrid on regular conductance tables, for grids with node coordinates",
     GRIDIRON_DEVICES, gpuhmd_declines, make_gpuhmd, gpuhmd_defaults, make_gpuhmd_on_cuda},
    {"gmd", "geometric multigrid on regular 2-D grids with variable coefficients", GRIDIRON_DEVICES, gmd_declines,
     make_gmd, gmd_defaults, make_gmd_on_cuda},
    {"sgml", "single-grid multilevel method, for problems on regular grids and power grids with node coordinates",
     GRIDIRON_DEVICES, sgml_declines, make_sgml, sgml_defaults, make_sgml_on_cuda},
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

std::string_view choose_device(const EngineInfo& info, std::string_view device) {
  if (device == "auto") return info.make_on_cuda && cuda_state() == Cuda::ready ? "cuda" : "cpu";
  if (device == "cuda" && !info.make_on_cuda)
    throw InputError(fmt::format("{} cuda: engine {} runs on the CPU only", field("device"), info.name));
  if (device == "cuda" && cuda_state() == Cuda::not_built)
    throw InputError(fmt::format("{0} cuda: this is a build without CUDA; build the preset 'cuda', or use {0} cpu",
                                 field("device")));
  return device == "cuda" ? "cuda" : "cpu";
}

std::unique_ptr<Engine> make_engine(const EngineInfo& info, std::string_view device, const Settings& settings) {
  if (device != "cuda") return info.make(settings);
  if (cuda_state() != Cuda::ready)
    throw ResourceError(
        fmt::format("{0} cuda: no CUDA device found; check nvidia-smi, or use {0} cpu", field("device")));
  return info.make_on_cuda(settings);
}

std::unique_ptr<Engine> make_engine(const EngineInfo& info, const Context& context, const Settings& settings) {
  std::unique_ptr<Engine> engine = make_engine(info, choose_device(info, context.device), settings);
  engine->set_context(context);
  return engine;
}

EngineRun describe(const EngineInfo& info, const Engine& engine, std::string_view device, std::string_view asked_for) {
  const bool fell_back = asked_for == "auto" && info.make_on_cuda && cuda_state() == Cuda::no_device;
  return {std::string(info.name), std::string(device), fell_back ? "no CUDA device found" : "",
          engine.note(),          engine.parameters(), engine.bytes(),
          omp_get_max_threads(),  engine.levels(),     engine.regular_grid_bytes()};
}

const EngineInfo& choose_engine(std::string_view name, const Problem& problem) {
  if (name == "auto") {
    for (const EngineInfo& engine : kEngines)
      if (problem.matrix.rows <= engine.auto_up_to && !engine.declines(problem)) return engine;
    throw InputError("no engine of this build can solve this problem");
  }
  const EngineInfo& engine = find_engine(name);
  if (const auto reason = engine.declines(problem)) throw InputError(fmt::format("engine {}: {}", name, *reason));
  return engine;
}

}  // namespace gridiron
