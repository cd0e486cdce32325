// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// JSON that keeps the order of its members.
using Json = nlohmann::ordered_json;

/// The document of report.json, keys in the order of the schema.
Json json_document(const IrReport& result);

/// One node as shown in reports: node, net, layer, x_um, y_um, voltage_v, drop_v; null where unknown.
Json json_node(const IrReport& result, NodeId node);

// Shared by the reports of all commands.

/// JSON has no NaN and no infinity.
Json number_or_null(double value);
/// null for an empty name.
inline Json name_or_null(std::string_view name) { return name.empty() ? Json(nullptr) : Json(name); }

Json json_run(const RunFacts& run);
Json json_ledger(const Ledger& ledger);
Json json_parameters(const ParamList& list);
/// `solve` with the engine's own figures under the name of its method, if it has any.
Json with_figures(Json solve, const EngineRun& engine);

/// Indented, with a final line feed; bytes that are not UTF-8 are replaced.
std::string json_text(Json document);

/// Every string and key of the document as `shown` gives it.
Json with_strings(Json document, std::string (*shown)(std::string_view));

}  // namespace gridiron
