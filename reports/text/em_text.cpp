// SPDX-License-Identifier: Apache-2.0
#include "reports/text/em_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/results/segments.hpp"
#include "reports/lookup.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/print.hpp"
#include "reports/text/text_parts.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

std::string share_text(double share) { return fmt::format("{:.4g} %", 100 * share); }

}  // namespace

std::string em_lines(const IrReport& result) {
  std::string out;
  if (!result.em) return out;
  const EmReport& em = *result.em;
  print(out, "\nElectromigration rules{}: {}, {} above {}, {} undecided{}{}\n",
        em.temperature_c ? fmt::format(" at {:g} °C", *em.temperature_c) : "", count_of(em.segments, "segment"),
        grouped(em.violated), em.share == 1 ? "their limits" : share_text(em.share) + " of their limits",
        grouped(em.undecided), em.unknown > 0 ? fmt::format(", {} not judged", grouped(em.unknown)) : "",
        result.certificate.valid ? "" : "; nothing is certified");
  if (em.limit)
    print(out, "limit of {}: {}, {}\n", share_text(em.limit->limit), share_text(em.limit->value),
          em.limit->exceeded                             ? "EXCEEDED"
          : em.limit->undecided || em.limit->unknown > 0 ? "UNDECIDED"
                                                         : "ok");
  TextTable table({"net", "layer", "segments>", "above>", "undecided>", "ratio>", "worst segment", "rule"});
  for (const EmLayerResult& layer : em.layers) {
    const bool has_worst = layer.worst >= 0;
    table.add({name_or_dash(net_name(result, layer.net)), name_or_dash(layer_text(result.layer_names, layer.layers)),
               grouped(layer.segments), grouped(layer.violated), grouped(layer.undecided + layer.unknown),
               has_worst ? share_text(layer.ratio) : "-",
               has_worst ? printable(result.circuit->element_name(kResistor, layer.worst)) : "-",
               name_or_dash(layer.rule)});
  }
  return em.layers.empty() ? out : out + table.str();
}

}  // namespace gridiron
