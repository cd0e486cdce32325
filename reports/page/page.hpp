// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "reports/json/json.hpp"
#include "reports/pictures/heat_map.hpp"
#include "support/output_path.hpp"

// What the pages of a static and of a dynamic run share.

namespace gridiron {

/// Bytes of the maps' images in a page, before base64 makes 4 bytes of 3.
inline constexpr size_t kImageBytes = 2'200'000;

/// Rows of a table in a page at most.
inline constexpr size_t kRowsOfPage = 300;

/// The maps of a page: all of them, at the finest resolution that fits.
Json page_maps(const IrReport& result, const std::vector<HeatMap>& maps, size_t image_bytes);

/// The colours of the maps, least drop first. The page tells drops from the colours of pixels, exact to half a step of
/// the scale, so that it needs no table of values for millions of nodes.
Json page_colours(ScaleKind kind = ScaleKind::of_drops);

/// What all limits come to: none, kept, undecided, exceeded.
const char* page_verdict(const IrReport& result);
Json page_length(const IrReport& result);
/// A row of the table of instances: place, name and cell.
Json page_instance(const IrReport& result, const InstanceResult& instance);
/// The places of pads beyond the rows of the table, for the map: index of the net, x and y in um.
Json page_more_pads(const IrReport& result);
/// The segments that come nearest to rules of electromigration, or violate them most.
Json page_em(const IrReport& result);
/// Per resistor the currents that limits of a quantity judge, see EmLimitResult::quantity.
using CurrentsOf = std::function<std::span<const double>(const std::string& quantity)>;
/// The segments that exceed a limit of their layer's current most.
Json page_over_em_limits(const IrReport& result, const CurrentsOf& currents_of);
/// The nodes that drop most, as many of each net as the page has rows for.
std::vector<NodeId> nodes_of_page(const IrReport& result);

/// Removes rows beyond the first of a table, and returns how many there were.
size_t cut(Json& list);

/// JSON that is safe in a script element: only ASCII, and nothing that could end the element or open a comment.
std::string script_json(const Json& json);

/// Writes the template with each {{name}} replaced by a text, which is not expanded itself: the title, the data as
/// JSON, the assets that both pages have, and `own`.
void write_page(const OutputPath& path, std::string_view page, const std::string& title, const Json& data,
                std::map<std::string_view, std::string_view> own);

}  // namespace gridiron
