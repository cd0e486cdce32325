// SPDX-License-Identifier: Apache-2.0
#include "reports/text/stress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/results/stress/lifetime_limit.hpp"
#include "reports/lookup.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/print.hpp"
#include "reports/text/text_parts.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

std::string megapascals(double pa) { return std::isfinite(pa) ? fmt::format("{:.3f} MPa", 1e-6 * pa) : "-"; }
std::string bound_text(double pa) { return std::isfinite(pa) ? with_unit(pa, "Pa") : "-"; }

bool is_in_seconds(double time_s) { return time_s < 86400; }
std::string time_text(double s) { return lifetime_text(s); }
/// In the unit of the time that it is of.
std::string error_text(double s, double time_s) {
  if (!std::isfinite(s)) return "-";
  return is_in_seconds(time_s) ? fmt::format("{:.2g} s", s) : fmt::format("{:.2g} y", s / kSecondsPerYear);
}

void print_samples(std::string& out, const LifetimeSamples& samples, double horizon_s) {
  print(out, "{} of random diffusivities, sigma {:.4g}: in {} no void until {}\n", count_of(samples.samples, "sample"),
        samples.sigma, grouped(samples.censored), time_text(horizon_s));
  TextTable table({"failed>", "time>", "from>", "to>"});
  for (const LifetimePercentile& row : samples.percentiles)
    table.add({fmt::format("{:g} %", row.percent), time_text(row.time_s), time_text(row.low_s), time_text(row.high_s)});
  out += table.str();
}

void print_lifetime(std::string& out, const IrReport& result, const LifetimeReport& lifetime) {
  print(out, "\nNucleation of voids until {}: in {} of {} followed{}\n", time_text(lifetime.horizon_s),
        grouped(lifetime.nucleating), count_of(std::ssize(lifetime.trees), "tree"),
        lifetime.undecided > 0 ? fmt::format(", in {} undecided", grouped(lifetime.undecided)) : "");
  if (!lifetime.first.empty()) {
    TextTable table({"tree>", "net", "layer", "node", "time>", "error>"});
    for (const TreeLifetime& tree : lifetime.first_trees())
      table.add({std::to_string(tree.tree), name_or_dash(net_name(result, tree.net)),
                 name_or_dash(layer_name(result, tree.layer)), printable(node_name(result, tree.node)),
                 time_text(tree.time_s), error_text(tree.error_s, tree.time_s)});
    out += table.str();
  }
  if (lifetime.samples) print_samples(out, *lifetime.samples, lifetime.horizon_s);
}

std::string ohms_or_open(double ohm) { return std::isfinite(ohm) ? with_unit(ohm, "ohm") : "open"; }

/// "IR-drop failure after 3.2 y (error 0.01 y), at stage 4: a limit is exceeded, net n1: worst drop of …".
std::string failure_text(const CascadeReport& cascade) {
  std::string why = cascade.end == CascadeEnd::limit ? "a limit is exceeded" : "loads are cut off";
  if (cascade.exceeded) why += ", " + printable(*cascade.exceeded);
  if (cascade.exceeds_today) return "IR-drop failure today, without any failure of metal: " + why;
  if (cascade.fails())
    return fmt::format("IR-drop failure after {} (error {}), at stage {}: {}", time_text(cascade.failure_s()),
                       error_text(cascade.failure_error_s(), cascade.failure_s()), cascade.stages.size(), why);
  const std::string until =
      cascade.end == CascadeEnd::stages
          ? "in so many stages"
          : fmt::format("until {}, when no further segment has failed", time_text(cascade.horizon_s));
  return cascade.has_limit ? (cascade.first_undecided() ? "no certain IR-drop failure " : "no IR-drop failure ") + until
                           : "no load is cut off " + until + "; no limit on drops was given, and so none is judged";
}

/// From which stage on limits are only kept by less than the bound; empty: from none.
std::string open_text(const CascadeReport& cascade) {
  const CascadeStage* const open = cascade.first_undecided();
  if (!open || cascade.fails()) return "";
  return fmt::format("; undecided from stage {} on, after {}, whose drop keeps a limit by less than its bound",
                     open->stage, time_text(open->time_s));
}

/// The same with what it does not tell of.
std::string end_text(const StressReport& stress) {
  const CascadeReport& cascade = *stress.cascade;
  const int64_t trees = std::ssize(stress.trees);
  if (cascade.unjudged_trees == trees && !cascade.exceeds_today)
    return trees == 0 ? "nothing was judged: there is no metal whose segments could fail"
                      : fmt::format(
                            "nothing was judged: segments fail in trees of known geometry only, and that of {} "
                            "is unknown",
                            count_of(trees, "tree"));
  std::string text = failure_text(cascade) + open_text(cascade);
  if (cascade.unjudged_trees > 0)
    text += fmt::format("; in {} of unknown geometry no segment fails", count_of(cascade.unjudged_trees, "tree"));
  return text;
}

void print_cascade(std::string& out, const IrReport& result, const CascadeReport& cascade) {
  print(out, "\nSegments that fail by voids of {:.4g} um, {}: {}\n", cascade.options.void_um,
        cascade.options.liner_ohm_per_um
            ? fmt::format("with a liner of {:.4g} ohm/um", *cascade.options.liner_ohm_per_um)
            : "which are open then",
        count_of(std::ssize(cascade.stages), "stage"));
  print(out, "{}\n", end_text(*result.stress));
  if (cascade.stages.empty()) return;
  TextTable table({"stage>", "time>", "error>", "net", "layer", "void at", "segment", "before>", "after>",
                   "worst drop>", "bound>", "node", ""});
  for (const CascadeStage& stage : cascade.stages)
    table.add({std::to_string(stage.stage), time_text(stage.time_s), error_text(stage.error_s, stage.time_s),
               name_or_dash(net_name(result, stage.net)), name_or_dash(layer_name(result, stage.layer)),
               printable(node_name(result, stage.node)),
               printable(result.circuit->element_name(kResistor, stage.resistor)), ohms_or_open(stage.before_ohm),
               ohms_or_open(stage.after_ohm), stage.cuts_off ? "-" : volts(stage.worst_drop_v),
               stage.cuts_off || !std::isfinite(stage.bound_v) ? "-" : volts(stage.bound_v),
               stage.cuts_off ? "-" : printable(node_name(result, stage.worst_node)), std::string(stage.verdict())});
  out += table.str();
}

/// "ok" or what else became of a limit.
template <class Limit>
std::string verdict_of(const Limit& limit, bool is_open) {
  return limit.exceeded ? "EXCEEDED" : limit.undecided || is_open ? "UNDECIDED" : "ok";
}

void print_lifetime_limits(std::string& out, const StressReport& stress) {
  for (const LifetimeLimit& limit : stress.lifetime_limits)
    print(out, "limit: {}, {}\n", limit.exceeded || limit.open.empty() ? describe(limit) : limit.open,
          verdict_of(limit, !limit.open.empty()));
}

}  // namespace

std::string stress_lines(const IrReport& result) {
  std::string out;
  if (!result.stress) return out;
  const StressReport& stress = *result.stress;
  print(out, "\nSteady-state stress of metal: {}, {} immortal, {} mortal, {} undecided{}{}\n",
        count_of(std::ssize(stress.trees), "tree"), grouped(stress.immortal), grouped(stress.mortal),
        grouped(stress.undecided),
        stress.unknown > 0 ? fmt::format(" ({} of unknown geometry)", grouped(stress.unknown)) : "",
        result.certificate.valid ? "" : "; nothing is certified");
  print(
      out, "critical stress {}, {:.4g} MPa per V{}\n", megapascals(stress.metal.critical_stress_pa),
      1e-6 * stress.pa_per_volt(),
      stress.metal.residual_stress_pa == 0 ? "" : ", residual stress " + megapascals(stress.metal.residual_stress_pa));
  if (stress.limit)
    print(out, "limit of {:.4g} %: {} of {}, {}\n", 100 * stress.limit->share, megapascals(stress.limit->value_pa),
          megapascals(stress.limit->limit_pa), verdict_of(*stress.limit, stress.limit->is_open()));
  TextTable table({"tree>", "net", "layer", "worst node", "stress>", "bound>", ""});
  for (const StressTree& tree : stress.worst_trees())
    table.add({std::to_string(tree.number), name_or_dash(net_name(result, tree.net)),
               name_or_dash(layer_name(result, tree.layer)), printable(node_name(result, tree.worst)),
               megapascals(tree.stress_pa), bound_text(tree.bound_pa), std::string(verdict_name(tree.verdict))});
  if (!stress.worst.empty()) out += table.str();
  if (stress.lifetime) print_lifetime(out, result, *stress.lifetime);
  if (stress.cascade) print_cascade(out, result, *stress.cascade);
  print_lifetime_limits(out, stress);
  return out;
}

}  // namespace gridiron
