// SPDX-License-Identifier: Apache-2.0
// The stress of metal by electromigration: Report.find_stress() and Solver.find_cascade().
#include "analysis/results/stress/stress.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/insight/cascade.hpp"
#include "analysis/model/design.hpp"
#include "analysis/results/limits.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "netlist/tables/metal_tables.hpp"
#include "python/bindings.hpp"
#include "python/fields.hpp"
#include "python/report_lock.hpp"
#include "python/run.hpp"
#include "python/solver.hpp"
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

/// What limits on stress and lifetimes are to be; takes them out of `texts`.
void take_limits(std::vector<std::string>& texts, StressOptions& options) {
  options.lifetime_limits = take_lifetime_limits(texts);
  if (!options.lifetime_limits.empty() && !options.lifetime)
    throw field_error("limit", "lifetime: there is no {} that it is for", field("em_lifetime"));
  if (options.lifetime)
    require_horizon(options.lifetime_limits, options.lifetime->horizon_s, options.lifetime->samples > 0);
  for (const LifetimeLimit& limit : options.lifetime_limits)
    if (limit.percent) options.lifetime->percents.push_back(*limit.percent);
}

StressOptions options_of(const IrReport& report, const std::optional<Path>& metal, const std::optional<Path>& layers,
                         const Samples& samples) {
  if (!report.vectors.empty()) throw InputError("the stress of metal is that of one load vector, not of several");
  StressOptions options;
  options.metal = metal ? read_metal_parameters(metal->string()) : usual_metal();
  if (layers) options.layers = read_metal_layers(layers->string());
  if (samples.horizon_s != 0) {
    options.lifetime = LifetimeOptions{samples.horizon_s, samples.samples, samples.sigma, samples.seed};
    if (metal) require_course_parameters(options.metal, metal->string());
  } else if (samples.samples != 0 || samples.sigma != 0) {
    throw input_error("{}: there is no {} that it is for", field(samples.samples != 0 ? "em_samples" : "em_sigma"),
                      field("em_lifetime"));
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
                double lifetime_s, int64_t samples, double sigma, int64_t seed, const std::vector<Text>& limits) {
  StressOptions options = options_of(report, metal, layers, {lifetime_s, samples, sigma, seed});
  require_ranges(options);
  std::vector<std::string> texts(limits.begin(), limits.end());
  take_limits(texts, options);
  constexpr std::string_view kStress[] = {"stress"};
  for (const LimitRequest& limit :
       parse_limits(texts, [&](const std::string& text) { return parse_limit(text, kStress); })) {
    if (limit.quantity != kStress[0] || !limit.is_share || !limit.net.empty() || !(limit.value > 0))
      throw field_error("limit", "{}: expected stress=80% or lifetime=10y, of all nets", text_of(limit));
    options.limit = limit.value;
  }
  std::vector<Finding> findings;
  StressReport stress;
  run({}, [&] { stress = gridiron::find_stress(report, *report.design->topology, options, findings); });
  spell_arguments(findings);
  change_report([&] { keep_stress(std::move(stress), std::move(findings), report); });
  return shown(report);
}

py::object find_cascade(InterruptibleSolver& solver, IrReport& report, int64_t stages, double void_um,
                        double lifetime_s, std::optional<double> liner, const std::optional<Path>& metal,
                        const std::optional<Path>& layers, const std::vector<Text>& limits, const Loads* loads) {
  StressOptions options = options_of(report, metal, layers, {lifetime_s});
  if (!options.lifetime) options.lifetime.emplace();
  options.cascade = CascadeOptions{stages, void_um, liner};
  require_ranges(options);
  SummaryOptions summary;
  std::vector<std::string> texts(limits.begin(), limits.end());
  take_limits(texts, options);
  summary.limits = parse_limits(texts);
  std::vector<Finding> findings;
  IrReport with_stress = report;
  solver.call([&](Solver& s) {
    const Loads of_deck = loads ? *loads : Loads(s.system().design());
    keep_stress(gridiron::find_stress(report, s.system().topology(), options, findings), {}, with_stress);
    with_stress.stress->cascade = gridiron::find_cascade(s, of_deck, with_stress, options, summary, findings);
    judge_lifetime_limits(*with_stress.stress, with_stress.certificate);
  });
  spell_arguments(findings);
  change_report([&] { keep_stress(std::move(*with_stress.stress), std::move(findings), report); });
  const py::object d = shown_fields(*report.stress->cascade);
  d["lifetime_limits"] = shown_fields(report.stress->lifetime_limits);
  return d;
}

}  // namespace

void bind_stress(py::class_<InterruptibleSolver>& solver, py::class_<IrReport, std::shared_ptr<IrReport>>& report) {
  solver.def(
      "find_cascade", find_cascade, "report"_a, "stages"_a, "void_um"_a, "lifetime_s"_a,
      "liner_ohm_per_um"_a = py::none(), "metal"_a = py::none(), "layers"_a = py::none(),
      "limits"_a = std::vector<Text>(), "loads"_a = py::none(),
      ("Segments that fail one after the other as voids of electromigration grow, each with the drop of the grid then, "
       "certified, see docs/electromigration.md; reports written later hold them too.\n\n"
       "report: that of an answer of this solver. stages: how many at most. void_um: length of a void at which its "
       "segment fails. lifetime_s: the horizon. liner_ohm_per_um: by default segments that fail are open. metal, "
       "layers: as of Report.find_stress(). limits: on drops; where one is exceeded no further segment fails; and "
       "lifetime=10y, on the time until then. loads: "
       "those of the report, by default the netlist's.\n\n" +
       keys_of<CascadeReport>() + ", and 'lifetime_limits', what became of these; stages are " +
       keys_of<CascadeStage>() + ".")
          .c_str());
  report.def(
      "find_stress", find, "metal"_a = py::none(), "layers"_a = py::none(), "lifetime_s"_a = 0.0, "samples"_a = 0,
      "sigma"_a = 0.0, "seed"_a = 1, "limits"_a = std::vector<Text>(),
      ("Stress of metal by electromigration, see docs/electromigration.md; reports written later hold it too.\n\n"
       "metal: a CSV file parameter,value, by default copper. layers: a CSV file layer,width_um,thickness_um. "
       "lifetime_s: follow stress until then. samples, sigma, seed: lifetimes with random diffusivities. limits: "
       "stress=80% of the critical one, lifetime=10y, and, with samples, lifetime@1%=10y.\n\n" +
       keys_of<StressReport>() +
       "; over nodes 'tree' (int32, -1: of none) and 'stress_pa'; over trees 'tree_stress_pa', "
       "'tree_bound_pa' and 'tree_verdict', with a lifetime 'tree_time_s' (infinite: not until then) and "
       "'tree_error_s'. Trees are " +
       keys_of<StressTree>() + ".")
          .c_str());
}

}  // namespace gridiron::python
