// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/choose_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/error_text.hpp"

namespace gridiron::psc {
namespace {

/// Right-hand sides among which the setup is divided when h₀ is chosen.
constexpr double kSolutions = 4096;

double bytes_of(const std::string& precision) {
  return precision == "double" ? 8 : precision == "half" || precision == "bfloat" ? 2 : 4;
}

std::string gigabytes(double bytes) { return fmt::format("{:.3g} GB", bytes * 1e-9); }

/// 3 for "1/8"; none for anything that is not 1/2^k.
std::optional<int> level_of(const std::string& h0) {
  if (!h0.starts_with("1/") || h0.size() > 9) return std::nullopt;
  int64_t n = 0;
  for (const char c : h0.substr(2)) {
    if (c < '0' || c > '9') return std::nullopt;
    n = 10 * n + (c - '0');
  }
  if (n < 1 || (n & (n - 1)) != 0) return std::nullopt;
  return static_cast<int>(std::llround(std::log2(n)));
}

}  // namespace

std::vector<LevelCost> level_costs(const RefinedMesh& mesh, const PscParams& params) {
  std::vector<LevelCost> costs;
  for (int level = 0; level < mesh.levels(); ++level) {
    const CellLattice lattice{mesh.corners(), int64_t{1} << (mesh.levels() - level)};
    if (lattice.interior() == 0) continue;
    LevelCost cost{level, count_macro_cells(mesh, level)};
    const double i = lattice.interior(), e = lattice.edge();
    const double edge = cost.counts.edge, coarse = cost.counts.coarse;
    const double groups = cost.counts.groups;
    const double skeleton = params.method == "m3" ? 0 : edge * edge;
    const double cell = params.form == "stored" ? 2 * i * i + 4 * i * e : 4 * i * i;
    cost.flops = cost.counts.cells * cell + (params.method == "m2" ? 4 : 2) * skeleton;
    const double cells = groups * (i * i + i * e + (params.method == "m3" ? e * e : 0));
    cost.stored_bytes = bytes_of(params.precision) * (cells + skeleton) + 8 * coarse * coarse;
    cost.setup_bytes =
        cost.stored_bytes + 8 * (groups * (i * i + 3 * i * e) + 2 * i * i + skeleton + coarse * (coarse + edge));
    cost.setup_flops = std::pow(edge, 3) + groups * std::pow(i, 3);
    costs.push_back(cost);
  }
  return costs;
}

LevelCost choose_level(const RefinedMesh& mesh, const PscParams& params, double memory, int64_t widest) {
  const std::vector<LevelCost> costs = level_costs(mesh, params);
  if (costs.empty()) throw InputError(*mesh_declined(mesh, memory));
  if (params.h0 != "auto") {
    const std::optional<int> level = level_of(params.h0);
    const auto found = std::ranges::find_if(costs, [&](const LevelCost& c) { return level && c.level == *level; });
    if (found == costs.end())
      throw input_error("psc: h0={}: expected auto or 1/{} to 1/{} in powers of two, which divide this mesh", params.h0,
                        1 << costs.front().level, 1 << costs.back().level);
    if (const int64_t width = mesh.steps() >> found->level; width > widest)
      throw input_error(
          "psc: h0={}: cells of {} elements along a side do not fit into a GPU's shared memory, "
          "which takes {}; choose a smaller h0",
          params.h0, width, widest);
    if (found->setup_bytes > memory)
      throw resource_error(
          "psc: h0={} has {} unknowns on edges and needs {}, this machine has {}; choose "
          "another h0, or method=m3",
          params.h0, found->counts.edge, gigabytes(found->setup_bytes), gigabytes(memory));
    return *found;
  }
  std::vector<LevelCost> fitting;
  std::ranges::copy_if(costs, std::back_inserter(fitting), [&](const LevelCost& c) {
    return c.setup_bytes <= memory && mesh.steps() >> c.level <= widest;
  });
  if (fitting.empty()) {
    const LevelCost& least = *std::ranges::min_element(costs, {}, &LevelCost::setup_bytes);
    throw resource_error(
        "psc: dense matrices for {} unknowns need {} at least, this machine has {}; choose "
        "method=m3 or another engine",
        mesh.unknowns(), gigabytes(least.setup_bytes), gigabytes(memory));
  }
  // m3 counts no operations of its iteration: there the cells are balanced against it by storage.
  if (params.method == "m3") return *std::ranges::min_element(fitting, {}, &LevelCost::stored_bytes);
  return *std::ranges::min_element(fitting, {},
                                   [](const LevelCost& c) { return kSolutions * c.flops + c.setup_flops; });
}

std::optional<std::string> mesh_declined(const RefinedMesh& mesh, double memory) {
  PscParams least_memory;
  least_memory.method = "m3";
  const std::vector<LevelCost> costs = level_costs(mesh, least_memory);
  if (costs.empty())
    return fmt::format(
        "needs a mesh that was refined {}; this one was refined {} times (sizes with a large power of two as a "
        "factor suit it)",
        mesh.corners() == 4 ? "once at least" : "twice at least", mesh.levels());
  if (mesh.corners() == 4)
    for (int64_t c = 0; c < mesh.cells(); ++c) {
      const CellShape shape = shape_of(mesh.sides(c));
      if (std::abs(shape.uv) > 1e-9 * (shape.uu + shape.vv))
        return "needs quadrilaterals with right angles, or triangles";
    }
  const LevelCost& least = *std::ranges::min_element(costs, {}, &LevelCost::setup_bytes);
  if (least.setup_bytes <= memory) return std::nullopt;
  return fmt::format(
      "its dense matrices ({} groups of cells, {} unknowns on edges) need {} at least, this machine has {}",
      least.counts.groups, least.counts.edge, gigabytes(least.setup_bytes), gigabytes(memory));
}

}  // namespace gridiron::psc
