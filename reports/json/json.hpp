// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// The document of report.json, keys in the order of the schema.
nlohmann::ordered_json json_document(const IrReport& result);

/// One node as shown in reports: node, net, layer, x_um, y_um, voltage_v, drop_v; null where unknown.
nlohmann::ordered_json json_node(const IrReport& result, NodeId node);

// Shared by the reports of all commands.

/// JSON has no NaN and no infinity.
nlohmann::ordered_json number_or_null(double value);

nlohmann::ordered_json json_parameters(const ParamList& list);
/// `solve` with the engine's own figures under the name of its method, if it has any.
nlohmann::ordered_json with_figures(nlohmann::ordered_json solve, const EngineRun& engine);

/// Indented, with a final line feed; bytes that are not UTF-8 are replaced.
std::string json_text(nlohmann::ordered_json document);

/// Every string and key of the document as `shown` gives it.
nlohmann::ordered_json with_strings(nlohmann::ordered_json document, std::string (*shown)(std::string_view));

}  // namespace gridiron
