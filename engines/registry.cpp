// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <variant>

#include "engines/direct_or_multigrid.hpp"
#include "engines/engine.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

/// From this many right-hand sides on, a factorization ordered by coordinates costs less on the CPU than gpuhmd: from 3
/// to 6 on with two cores and from 5 to 9 on with 16, at 0.3 to 10 million unknowns. It takes 380 to 440 bytes for each
/// of them instead of 160.
constexpr int64_t kManySolves = 8, kFactoredUpTo = 10'000'000;

/// Where an engine runs that has both forms.
bool is_on_gpu(const Problem& problem, ExpectedUse use) {
  const bool is_asked_for =
      use.device == "cuda" || (use.device == "auto" && use.unknowns_of(problem) >= kUnknownsForGpu);
  return is_asked_for && cuda_state() == Cuda::ready;
}

const EngineInfo& first_of(EngineKind kind) { return *std::ranges::find(engines(), kind, &EngineInfo::kind); }

/// Grids of wires have up to five couplings and a diagonal in a row on average, meshes in three dimensions seven.
constexpr double kFewEntries = 6;

/// For "auto", large power grids whose nodes have coordinates: hybrid multigrid, or a factorization for many right-hand
/// sides on the CPU. Null: another problem.
const EngineInfo* for_large_placed_grid(const Problem& problem, ExpectedUse use) {
  const EngineInfo &direct = first_of(EngineKind::direct), &hybrid = first_of(EngineKind::hybrid);
  const int64_t rows = problem.matrix.rows;
  if (rows <= direct.auto_up_to || hybrid.declines(problem)) return nullptr;
  if (is_on_gpu(problem, use) || use.solves < kManySolves || rows > kFactoredUpTo || direct.declines(problem))
    return &hybrid;
  return &direct;
}

/// For "auto", other symmetric positive definite systems: a factorization or multigrid, whichever the work predicts.
/// Null: another problem.
const EngineInfo* by_predicted_work(const Problem& problem, ExpectedUse use) {
  const EngineInfo &direct = first_of(EngineKind::direct), &algebraic = first_of(EngineKind::algebraic);
  if (direct.declines(problem) || algebraic.declines(problem)) return nullptr;
  if (use.device == "cuda" && cuda_state() == Cuda::ready) return &algebraic;
  const CsrMatrix& a = problem.matrix;
  const bool is_grid = std::holds_alternative<PowerGrid>(problem.structure) && a.rows <= direct.auto_up_to &&
                       static_cast<double>(a.nonzeros()) < kFewEntries * static_cast<double>(a.rows);
  const bool is_placed_grid = is_grid && !first_of(EngineKind::hybrid).declines(problem);
  return is_placed_grid || is_worth_factoring(a, use.solves) ? &direct : &algebraic;
}

bool was_tried(const EngineInfo& engine, std::span<const EngineInfo* const> tried) {
  return std::ranges::find(tried, &engine) != tried.end();
}

}  // namespace

const EngineInfo& find_engine(std::string_view name) {
  std::vector<std::string_view> names;
  for (const EngineInfo& engine : engines()) {
    if (engine.name == name) return engine;
    names.push_back(engine.name);
  }
  throw input_error("no engine is called {:?}; this build has {}{}", std::string(name), fmt::join(names, ", "),
                    did_you_mean(name, names));
}

int64_t ExpectedUse::unknowns_of(const Problem& problem) const {
  return problem.matrix.rows > INT64_MAX / std::max<int64_t>(solves, 1) ? INT64_MAX : problem.matrix.rows * solves;
}

std::string_view choose_device(const EngineInfo& info, std::string_view device, int64_t unknowns) {
  if (device == "cpu" && info.devices == "cuda")
    throw field_error("device", "cpu: engine {} runs on a GPU only", info.name);
  if (device == "auto") {
    const bool pays = unknowns >= kUnknownsForGpu || info.devices == "cuda";
    return pays && info.make_on_cuda && cuda_state() == Cuda::ready ? "cuda" : "cpu";
  }
  if (device == "cuda" && !info.make_on_cuda)
    throw field_error("device", "cuda: engine {} runs on the CPU only", info.name);
  if (device == "cuda" && cuda_state() == Cuda::not_built)
    throw input_error("{0} cuda: this is a build without CUDA; build the preset 'cuda', or use {0} cpu",
                      field("device"));
  if (device != "cuda" && device != "cpu") throw field_error("device", "{}: expected auto, cpu or cuda", device);
  return device == "cuda" ? "cuda" : "cpu";
}

std::unique_ptr<Engine> make_engine(const EngineInfo& info, std::string_view device, const Settings& settings) {
  if (device != "cuda") return info.make(settings);
  if (cuda_state() != Cuda::ready)
    throw resource_error("{0} cuda: no CUDA device found; check nvidia-smi, or use {0} cpu", field("device"));
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
          omp_get_max_threads(),  engine.levels(),     engine.figures()};
}

const EngineInfo& choose_engine(std::string_view name, const Problem& problem, ExpectedUse use) {
  if (name == "auto") {
    if (const EngineInfo* const engine = for_large_placed_grid(problem, use)) return *engine;
    if (const EngineInfo* const engine = by_predicted_work(problem, use)) return *engine;
    for (const EngineInfo& engine : engines())
      if (problem.matrix.rows <= engine.auto_up_to && !engine.declines(problem) &&
          (engine.make_on_cuda || use.device != "cuda" || cuda_state() != Cuda::ready))
        return engine;
    throw InputError("no engine of this build can solve this problem");
  }
  const EngineInfo& engine = find_engine(name);
  if (const auto reason = engine.declines(problem)) throw input_error("engine {}: {}", name, *reason);
  return engine;
}

const EngineInfo* engine_after(std::span<const EngineInfo* const> tried, const Problem& problem, ExpectedUse use) {
  const EngineInfo& algebraic = first_of(EngineKind::algebraic);
  if (tried.back()->is_direct() && !problem.symmetric_positive_definite) return nullptr;
  const auto is_left = [&](const EngineInfo& engine) { return !was_tried(engine, tried) && !engine.declines(problem); };
  const bool is_hybrid_on_gpu = tried.back() == &first_of(EngineKind::hybrid) && is_on_gpu(problem, use);
  if ((tried.back()->is_direct() || is_hybrid_on_gpu) && is_left(algebraic)) return &algebraic;
  const bool is_factored = std::ranges::any_of(tried, &EngineInfo::is_direct);
  for (const EngineInfo& engine : engines()) {  // the first factorization whatever the size
    const int64_t up_to = is_factored ? engine.auto_up_to : INT64_MAX;
    if (engine.auto_up_to >= 0 && problem.matrix.rows <= up_to && is_left(engine))
      return engine.is_direct() || !is_factored ? &engine : nullptr;
  }
  return nullptr;
}

}  // namespace gridiron
