// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/psc_engine.hpp"

#include "engines/psc/gemm_cpu.hpp"
#include "engines/psc/psc_on.hpp"

namespace gridiron {

PscParams psc::read_psc(const Settings& settings) {
  auto params = read_params<PscParams>("psc", settings);
  require_choice("psc", "method", params.method, {"m1", "m2", "m3"});
  require_choice("psc", "precision", params.precision, {"double", "single", "tf32", "half", "bfloat"});
  require_choice("psc", "form", params.form, {"stored", "paper"});
  require_choice("psc", "refine", params.refine, {"yes", "no"});
  require_choice("psc", "condition", params.condition, {"yes", "no"});
  require_range("psc", "inner_rtol", params.inner_rtol, 0, 1);
  return params;
}

std::optional<std::string> psc_declines(const Problem& problem) {
  const RefinedMesh* const mesh = problem.refined_mesh();
  if (!mesh) return "solves problems with finite elements on refined meshes only";
  return psc::mesh_declined(*mesh, static_cast<double>(usable_memory_bytes()));
}

std::unique_ptr<Engine> make_psc(const Settings& settings) { return psc::make_psc_on<CpuDevice>(settings); }

ParamList psc_defaults() { return list_params(PscParams()); }

}  // namespace gridiron
