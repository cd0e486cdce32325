// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/psc_engine.hpp"

#include "engines/engine_by_structure.hpp"
#include "engines/hybrid/hybrid_grid.hpp"
#include "engines/psc/gemm_cpu.hpp"
#include "engines/psc/psc_on.hpp"
#include "engines/psc/tables_on.hpp"

namespace gridiron {
namespace {

void check(const PscMethodParams& params) {
  require_choice("psc", "precision", params.precision, {"double", "single", "tf32", "half", "bfloat"});
  require_range("psc", "inner_rtol", params.inner_rtol, 0, 0.5);
}

void check(const PscParams& params) {
  require_choice("psc", "form", params.form, {"stored", "paper"});
  require_choice("psc", "refine", params.refine, {"yes", "no"});
  require_choice("psc", "condition", params.condition, {"yes", "no"});
}

void check(const PscTablesParams& params) {
  if (params.block != 0 && (params.block < 4 || params.block > 64 || (params.block & (params.block - 1)) != 0))
    throw InputError("psc: block cannot be \"" + std::to_string(params.block) + "\"; expected 0, 4, 8, 16, 32 or 64");
  require_range("psc", "group_tolerance", params.group_tolerance, -1, 1);
}

/// For finite elements or for power grids. Rejects settings that do not apply.
class PscEngine : public EngineByStructure {
 public:
  PscEngine(const Settings& settings, psc::Make for_elements, psc::Make for_power_grids)
      : settings_(settings), for_elements_(for_elements), for_power_grids_(for_power_grids) {
    const auto all = read_params<PscEngineParams>("psc", settings);
    require_choice("psc", "method", all.elements.method, {"auto", "m1", "m2", "m3"});
    check(static_cast<const PscMethodParams&>(all.elements));
    check(all.elements);
    check(all.grids.tables);
    all.grids.hybrid.check("psc");
  }

 protected:
  std::unique_ptr<Engine> make_for(const Problem& problem) const override {
    return std::holds_alternative<PowerGrid>(problem.structure) ? for_power_grids_(settings_)
                                                                : for_elements_(settings_);
  }
  ParamList parameters_before_setup() const override {
    return list_params(read_params<PscEngineParams>("psc", settings_));
  }

 private:
  Settings settings_;
  psc::Make for_elements_, for_power_grids_;
};

}  // namespace

PscParams psc::read_psc(const Settings& settings) {
  auto params = read_params<PscParams>("psc on finite elements", settings);
  require_choice("psc", "method", params.method, {"auto", "m1", "m2", "m3"});
  check(static_cast<const PscMethodParams&>(params));
  check(params);
  return params;
}

PscHybridParams psc::read_psc_on_power_grids(const Settings& settings) {
  auto params = read_params<PscHybridParams>("psc on power grids", settings);
  require_choice("psc on power grids", "method", params.tables.method, {"auto", "m1", "m3"});
  check(static_cast<const PscMethodParams&>(params.tables));
  check(params.tables);
  params.hybrid.check("psc");
  if (params.tables.inner_rtol == 0) params.tables.inner_rtol = 0.1;
  return params;
}

std::unique_ptr<Engine> psc::make_for_any(const Settings& settings, Make for_elements, Make for_power_grids) {
  return std::make_unique<PscEngine>(settings, for_elements, for_power_grids);
}

std::optional<std::string> psc_declines(const Problem& problem) {
  if (std::holds_alternative<PowerGrid>(problem.structure)) return hybrid_declines(problem);
  const RefinedMesh* const mesh = problem.refined_mesh();
  if (!mesh) return "solves power grids and problems with finite elements on refined meshes only";
  return psc::mesh_declined(*mesh, static_cast<double>(usable_memory_bytes()));
}

std::unique_ptr<Engine> make_psc(const Settings& settings) {
  return psc::make_for_any(settings, psc::make_psc_on<CpuDevice>, psc::make_hybrid_with_tables<CpuDevice>);
}

ParamList psc_defaults() { return list_params(PscEngineParams()); }

}  // namespace gridiron
