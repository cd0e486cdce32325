// SPDX-License-Identifier: Apache-2.0
#include "reports/check_report.hpp"

#include <utility>

#include "analysis/results/input_counts.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/json/opens_json.hpp"

namespace gridiron {

std::string check_json(const Circuit& circuit, const CheckRun& run) {
  Json input = with_fields(no_names(), {{"path", run.input_path}}, counts_of(circuit));
  input["capacitors"] = circuit.capacitors.size();
  input["inductors"] = circuit.inductors.size();
  input["ledger"] = json_ledger(circuit.ledger);
  Json document = {{"schema", "gridiron.check/1"}, {"tool_version", GRIDIRON_VERSION},
                   {"run", json_run(run.run)},     {"input", std::move(input)},
                   {"parts", run.result.parts},    {"floating_parts", run.result.floating_parts},
                   {"nets", run.result.nets},      {"findings", json_of(run.result.findings)}};
  if (circuit.placement && !circuit.placement->nets.empty())  // of a layout
    document["opens"] = json_opens(*circuit.placement);
  return json_text(std::move(document));
}

}  // namespace gridiron
