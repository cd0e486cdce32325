// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/em_csv.hpp"

#include <vector>

#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/segments.hpp"
#include "reports/lookup.hpp"
#include "reports/tables/csv_line.hpp"

namespace gridiron {

void write_em_csv(const IrReport& result, const OutputPath& path) {
  constexpr int kDigits = 9;
  const EmReport& em = *result.em;
  const Elements& resistors = result.circuit->resistors;
  const std::vector<int64_t> rows = em_worst_first(result, em);
  write_table(
      path, "segment,layer,from,to,width_um,average_a,rms_a,peak_a,rule,limit,value,ratio", rows.size(),
      [&](size_t row, CsvLine&& line) {
        const int64_t i = rows[row];
        const EmRow of = em_row(result, em, i);
        line.text(result.circuit->element_name(kResistor, i))
            .text(layer_text(result.layer_names, layers_of(result, i)));
        line.text(node_name(result, resistors.a[i])).text(node_name(result, resistors.b[i])).number(of.width_um);
        line.volts(of.average_a).volts(of.rms_a).volts(of.peak_a).text(em.rules[of.rule].name);
        line.volts(of.limit).volts(of.value).volts(of.ratio);
      },
      kDigits);
}

}  // namespace gridiron
