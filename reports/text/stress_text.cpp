// SPDX-License-Identifier: Apache-2.0
#include "reports/text/stress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/lookup.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/print.hpp"
#include "reports/text/text_parts.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

std::string megapascals(double pa) { return std::isfinite(pa) ? fmt::format("{:.3f} MPa", 1e-6 * pa) : "-"; }
std::string bound_text(double pa) { return std::isfinite(pa) ? fmt::format("{:.2g} MPa", 1e-6 * pa) : "-"; }

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
          megapascals(stress.limit->limit_pa),
          stress.limit->exceeded                                 ? "EXCEEDED"
          : stress.limit->undecided || stress.limit->unknown > 0 ? "UNDECIDED"
                                                                 : "ok");
  if (stress.worst.empty()) return out;
  TextTable table({"tree>", "net", "layer", "worst node", "stress>", "bound>", ""});
  for (const StressTree& tree : stress.worst_trees())
    table.add({std::to_string(tree.number), name_or_dash(net_name(result, tree.net)),
               name_or_dash(layer_name(result, tree.layer)), printable(node_name(result, tree.worst)),
               megapascals(tree.stress_pa), bound_text(tree.bound_pa), std::string(verdict_name(tree.verdict))});
  return out + table.str();
}

}  // namespace gridiron
