// SPDX-License-Identifier: Apache-2.0
// The stress of metal by electromigration: Report.find_stress().
#include "analysis/results/stress/stress.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/model/design.hpp"
#include "netlist/tables/metal_tables.hpp"
#include "python/bindings.hpp"
#include "python/fields.hpp"
#include "python/report_lock.hpp"
#include "python/run.hpp"
#include "python/tables.hpp"
#include "python/views.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {
namespace {

using Path = std::filesystem::path;

struct Samples {
  double horizon_s = 0;
  int64_t samples = 0;
  double sigma = 0;
  int64_t seed = 1;
};

StressOptions options_of(const IrReport& report, const std::optional<Path>& metal, const std::optional<Path>& layers,
                         const Samples& samples) {
  if (!report.vectors.empty()) throw InputError("the stress of metal is that of one load vector, not of several");
  if (!(samples.horizon_s >= 0) || !std::isfinite(samples.horizon_s)) throw InputError("lifetime_s: expected a time");
  if (samples.samples < 0 || (samples.samples > 0 && !(samples.sigma > 0 && samples.horizon_s > 0)))
    throw InputError("samples: expected a number of them, with a sigma above 0 and a lifetime_s");
  StressOptions options;
  options.metal = metal ? read_metal_parameters(metal->string()) : usual_metal();
  if (layers) options.layers = read_metal_layers(layers->string());
  if (samples.horizon_s > 0) {
    options.lifetime = LifetimeOptions{samples.horizon_s, samples.samples, samples.sigma, samples.seed};
    if (metal) require_course_parameters(options.metal, metal->string());
  }
  for (const std::optional<Path>* file : {&metal, &layers})
    if (*file) note_table(report.design, **file);
  return options;
}

py::object column_of(int64_t rows, auto&& value) {
  NewBlock column(rows, 1, true);
  for (int64_t i = 0; i < rows; ++i) column.block.data[i] = value(i);
  return column.array;
}

/// The fields, with columns over nodes and trees.
py::object shown(const IrReport& report) {
  const StressReport& stress = *report.stress;
  const py::object d = shown_fields(stress);
  const auto trees = std::ssize(stress.trees);
  d["tree"] = column_of(std::ssize(stress.tree), [&](int64_t n) {
                return static_cast<double>(stress.tree[n]);
              }).attr("astype")("int32");
  d["stress_pa"] = column_of(std::ssize(stress.tree), [&](int64_t n) {
    return stress.tree[n] < 0 ? NAN : stress.stress_at(stress.trees[stress.tree[n]], report.nodes.voltage_v[n]);
  });
  d["tree_stress_pa"] = column_of(trees, [&](int64_t k) { return stress.trees[k].stress_pa; });
  d["tree_bound_pa"] = column_of(trees, [&](int64_t k) { return stress.trees[k].bound_pa; });
  py::list verdicts;
  for (const StressTree& tree : stress.trees) verdicts.append(Text(verdict_name(tree.verdict)));
  d["tree_verdict"] = verdicts;
  if (!stress.lifetime) return d;
  std::vector<double> time_s(stress.trees.size(), HUGE_VAL), error_s(stress.trees.size(), NAN);
  for (const TreeLifetime& tree : stress.lifetime->trees) {
    if (!tree.nucleates()) continue;
    time_s[tree.tree] = tree.time_s;
    error_s[tree.tree] = tree.error_s;
  }
  d["tree_time_s"] = column_of(trees, [&](int64_t k) { return time_s[k]; });
  d["tree_error_s"] = column_of(trees, [&](int64_t k) { return error_s[k]; });
  return d;
}

py::object find(IrReport& report, const std::optional<Path>& metal, const std::optional<Path>& layers,
                double lifetime_s, int64_t samples, double sigma, int64_t seed) {
  const StressOptions options = options_of(report, metal, layers, {lifetime_s, samples, sigma, seed});
  std::vector<Finding> findings;
  StressReport stress;
  run({}, [&] { stress = gridiron::find_stress(report, *report.design->topology, options, findings); });
  change_report([&] { keep_stress(std::move(stress), std::move(findings), report); });
  return shown(report);
}

}  // namespace

void bind_stress(py::class_<IrReport, std::shared_ptr<IrReport>>& report) {
  report.def(
      "find_stress", find, "metal"_a = py::none(), "layers"_a = py::none(), "lifetime_s"_a = 0.0, "samples"_a = 0,
      "sigma"_a = 0.0, "seed"_a = 1,
      ("Stress of metal by electromigration, see docs/electromigration.md; reports written later hold it too.\n\n"
       "metal: a CSV file parameter,value, by default copper. layers: a CSV file layer,width_um,thickness_um. "
       "lifetime_s: follow stress until then. samples, sigma, seed: lifetimes with random diffusivities.\n\n" +
       keys_of<StressReport>() +
       "; over nodes 'tree' (int32, -1: of none) and 'stress_pa'; over trees 'tree_stress_pa', "
       "'tree_bound_pa' and 'tree_verdict', with a lifetime 'tree_time_s' (infinite: not until then) and "
       "'tree_error_s'. Trees are " +
       keys_of<StressTree>() + ".")
          .c_str());
}

}  // namespace gridiron::python
