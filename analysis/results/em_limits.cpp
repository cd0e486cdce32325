// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/em_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>

#include "analysis/model/findings.hpp"
#include "analysis/results/loose_bound.hpp"
#include "analysis/results/segments.hpp"
#include "linalg/shares.hpp"
#include "netlist/names/layer_pair.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/values/quantity.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// None unless there are exactly three.
std::optional<std::array<std::string_view, 3>> three_fields(std::string_view line) {
  const size_t first = line.find(','), second = line.find(',', first + 1);
  if (first == line.npos || second == line.npos || line.find(',', second + 1) != line.npos) return std::nullopt;
  return std::array{trimmed(line.substr(0, first)), trimmed(line.substr(first + 1, second - first - 1)),
                    trimmed(line.substr(second + 1))};
}

bool is_atto(std::string_view amperes) {
  const std::optional<Scaled> number = scaled_quantity(amperes, Quantity::current);
  return number && number->reading == Reading::atto;
}

bool is_positive(const std::optional<double>& number) { return number && *number > 0 && std::isfinite(*number); }

/// A result without judgement.
EmLimitResult result_for(const IrReport& report, const EmLimit& limit, const SegmentLayerResult& layer) {
  EmLimitResult result;
  result.net = report.nets[layer.net].name;
  result.layer = layer_text(report.layer_names, layer.layers);
  result.limit_a = limit.limit_a;
  result.a_per_um = limit.a_per_um;
  result.width_um = limit.width_um;
  result.value_a = layer.largest_current_a;
  result.worst = layer.worst;
  result.segments = layer.segments;
  return result;
}

/// Finds, in one pass over the segments, how many exceed the limit of their layer, and what they carry at most.
void judge(const IrReport& report, const Topology& topology, const std::vector<const SegmentLayerResult*>& layers,
           const Shares* all, std::vector<EmLimitResult>& results) {
  if (results.empty()) return;
  const double error_v = report.certificate.error_for_limits();
  std::vector<double> failed(results.size(), 0.0), at_most(results.size(), 0.0);
  size_t at = 0;  // neighbours in the deck are mostly on one layer
  for_each_edge(*report.circuit, [&](int64_t resistor, int64_t edge) {
    if (!report.segments.has(resistor)) return;
    const int32_t net = report.nodes.net[grid_end(*report.circuit, resistor)];
    const LayerPair pair = layers_of(report, resistor);
    const auto is_it = [&](const SegmentLayerResult* layer) { return layer->net == net && layer->layers == pair; };
    if (at == layers.size() || !is_it(layers[at])) {
      at = std::ranges::find_if(layers, is_it) - layers.begin();
      if (at == layers.size()) return;
    }
    const double current = std::abs(report.segments.current_a[resistor]);
    if (current > results[at].limit_a) ++failed[at];
    at_most[at] = std::max(at_most[at], current + 2 * std::abs(topology.grid.network.conductance[edge]) * error_v);
  });
  if (all) {
    all->sum(failed);
    all->largest(at_most);
  }
  for (size_t k = 0; k < results.size(); ++k) {
    results[k].failed = static_cast<int64_t>(failed[k]);
    results[k].bound_a = at_most[k] - results[k].value_a;
    results[k].is_estimated = report.certificate.is_estimated;
    results[k].exceeded = results[k].failed > 0;
    results[k].undecided = !results[k].exceeded && !(at_most[k] <= results[k].limit_a);
  }
}

std::string known_layers(const std::vector<LayerPair>& layers, const std::vector<std::string>& names,
                         std::string_view wanted) {
  std::vector<std::string> known;
  for (const LayerPair pair : layers)
    if (std::string name = layer_text(names, pair); !name.empty() && std::ranges::find(known, name) == known.end())
      known.push_back(std::move(name));
  return known.empty() ? "none, as node names do not tell layers"
                       : names_near(wanted, known) + did_you_mean(wanted, known);
}

}  // namespace

void add_em_limit(std::vector<EmLimit>& limits, EmLimit limit, const std::string& where) {
  const auto same =
      std::ranges::find_if(limits, [&](const EmLimit& other) { return are_same_layers(limit.layer, other.layer); });
  if (same == limits.end()) {
    limits.push_back(std::move(limit));
    return;
  }
  same->is_of_table &= limit.is_of_table;
  same->is_atto |= limit.is_atto;
  constexpr double kRounding = 1e-12;
  if (std::abs(same->limit_a - limit.limit_a) > kRounding * limit.limit_a)
    throw input_error("{}: layer {} has two limits, {:.4g} A and {:.4g} A; leave one of them out", where, limit.layer,
                      same->limit_a, limit.limit_a);
}

EmLimit parse_em_limit(const std::string& text) {
  const size_t equals = text.rfind('=');
  const std::string current = equals == text.npos ? "" : text.substr(equals + 1);
  const auto limit = quantity_with_unit(current, Quantity::current);
  if (equals == 0 || !is_positive(limit)) throw field_error("em_limit", "{}: expected LAYER=CURRENT like M1=5mA", text);
  return {text.substr(0, equals), *limit, 0, 0, false, text, is_atto(current)};
}

std::vector<EmLimit> read_em_limits(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored))
    throw field_error("em_limit", "{}: neither LAYER=CURRENT like M1=5mA nor a table that can be read", path.string());
  constexpr std::string_view kHeader = "layer,a_per_um,width_um";
  std::vector<EmLimit> limits;
  int64_t number = 0;
  bool has_header = false;
  for (std::string text; std::getline(file, text);) {
    const std::string_view line = trimmed(++number == 1 ? without_byte_order_mark(text) : text);
    if (line.empty() || line.front() == '#') continue;
    const auto fail = [&](std::string_view what) { throw input_error("{}:{}: {}", path.string(), number, what); };
    if (!has_header) {
      if (!same_name(line, kHeader)) fail(fmt::format("expected the header {}", kHeader));
      has_header = true;
      continue;
    }
    const auto fields = three_fields(line);
    if (!fields || (*fields)[0].empty()) fail("expected three fields: layer, limit in A per um, width in um");
    const auto density = amperes((*fields)[1]), width = quantity((*fields)[2], Quantity::pure);
    if (!is_positive(density) || !is_positive(width) || has_letters((*fields)[2]))
      fail("expected numbers above 0: A per um, and a width in um, without suffix");
    const std::string place = fmt::format("{}:{}", path.string(), number);
    add_em_limit(limits,
                 {std::string((*fields)[0]), *density * *width, *density, *width, true, place, is_atto((*fields)[1])},
                 place);
  }
  if (limits.empty()) throw input_error("{}: the table has no rows", path.string());
  return limits;
}

void require_layers(const std::vector<LayerPair>& layers, const std::vector<std::string>& layer_names,
                    const std::vector<EmLimit>& limits, std::string_view option) {
  bool is_any_known = limits.empty();
  for (const EmLimit& limit : limits) {
    const bool is_known =
        std::ranges::any_of(layers, [&](LayerPair pair) { return names_layers(limit.layer, layer_names, pair); });
    is_any_known |= is_known;
    if (!is_known && !limit.is_of_table)
      throw input_error("{} {}: no segment is on this layer; there are some on {}", field(option), limit.layer,
                        known_layers(layers, layer_names, limit.layer));
  }
  if (!is_any_known)
    throw input_error("{}: the table names none of the layers that segments are on, which are {}", field(option),
                      known_layers(layers, layer_names, limits.front().layer));
}

std::vector<EmLimitResult> check_em_limits(const IrReport& report, const Topology& topology,
                                           const std::vector<EmLimit>& limits, const Shares* all) {
  std::vector<LayerPair> known;
  for (const SegmentLayerResult& layer : report.segment_layers)
    if (layer.net >= 0) known.push_back(layer.layers);
  require_layers(known, report.layer_names, limits);
  std::vector<EmLimitResult> results;
  std::vector<const SegmentLayerResult*> layers;
  for (const EmLimit& limit : limits)
    for (const SegmentLayerResult& layer : report.segment_layers) {
      if (layer.net < 0 || !names_layers(limit.layer, report.layer_names, layer.layers)) continue;
      if (std::ranges::find(layers, &layer) != layers.end())
        throw field_error("em_limit", "{}: the layer has two limits; leave one of them out", limit.layer);
      layers.push_back(&layer);
      results.push_back(result_for(report, limit, layer));
    }
  judge(report, topology, layers, all, results);
  for (size_t k = 0; k < results.size() && !all; ++k)
    results[k].resistor = report.circuit->element_name(kResistor, results[k].worst);
  return results;
}

std::vector<UnlimitedLayer> unlimited_layers(const IrReport& report, const std::vector<EmLimit>& limits,
                                             const std::string& quantity) {
  std::vector<UnlimitedLayer> unlimited;
  if (limits.empty()) return unlimited;
  for (const SegmentLayerResult& layer : report.segment_layers) {
    const auto has_limit = [&](const EmLimit& limit) {
      return names_layers(limit.layer, report.layer_names, layer.layers);
    };
    if (layer.net < 0 || std::ranges::any_of(limits, has_limit)) continue;
    const std::string name = layer_text(report.layer_names, layer.layers);
    const auto known = std::ranges::find(unlimited, name, &UnlimitedLayer::layer);
    if (known == unlimited.end())
      unlimited.push_back({name, quantity, layer.segments});
    else
      known->segments += layer.segments;
  }
  return unlimited;
}

std::vector<Finding> tell_em_limits(const IrReport& report, const std::vector<EmLimit>& limits) {
  std::vector<std::string> absent;
  std::string place;
  AttoNumbers atto;
  for (const EmLimit& limit : limits) {
    if (limit.is_atto && atto.count++ == 0) atto.place = limit.place;
    const bool has_segments = std::ranges::any_of(report.segment_layers, [&](const SegmentLayerResult& layer) {
      return layer.net >= 0 && names_layers(limit.layer, report.layer_names, layer.layers);
    });
    if (has_segments || std::ranges::find(absent, limit.layer) != absent.end()) continue;
    if (absent.empty()) place = limit.place;
    absent.push_back(limit.layer);
  }
  std::vector<Finding> findings = atto_findings(atto);
  if (absent.empty()) return findings;
  // Beside a layer without a limit it may be a misspelt name.
  const std::vector<UnlimitedLayer> unlimited = unlimited_layers(report, limits);
  const auto left_out = std::ranges::find_if(unlimited, [&](const UnlimitedLayer& layer) {
    return std::ranges::find(report.layer_names, layer.layer) != report.layer_names.end();
  });
  const bool is_one_left_out = left_out != unlimited.end();
  findings.push_back(
      {is_one_left_out ? Finding::Severity::warning : Finding::Severity::info, "em-layer-absent",
       fmt::format("no segment is on {} of this table, whose {} no use{}", first_names(absent),
                   absent.size() == 1 ? "limit is of" : "limits are of",
                   is_one_left_out ? fmt::format(", while {} has none; is a name misspelt?", left_out->layer) : ""),
       place});
  return findings;
}

std::string describe(const EmLimitResult& limit) {
  const std::string value =
      fmt::format("net {} layer {}: {}{}current of {:.4g} mA in {}", limit.net, limit.layer, limit.quantity,
                  limit.quantity.empty() ? "" : " ", 1e3 * limit.value_a, limit.resistor);
  const std::string limit_text = fmt::format("{:.4g} mA", 1e3 * limit.limit_a);
  if (limit.exceeded)
    return fmt::format("{} exceeds {}{}{}", value, limit_text,
                       by_less_than(limit.value_a - limit.limit_a, limit.bound_a, "A",
                                    limit.is_estimated ? "estimated error" : "certified error"),
                       limit.failed > 1 ? fmt::format(", one of {} that do", limit.failed) : "");
  if (limit.is_open)
    return fmt::format("{} is within {}, but by less than what steps in time may miss", value, limit_text);
  if (limit.undecided && limit.is_estimated)
    return fmt::format("{} is within {}, but {}", value, limit_text,
                       std::isfinite(limit.bound_a)
                           ? fmt::format("its error of {:.2g} A is an estimate and leaves it open", limit.bound_a)
                           : fmt::format("errors are estimated only; accept that by {}", field("accept_estimate")));
  if (limit.undecided)
    return fmt::format("{} is within {}, but {}", value, limit_text, certified_only_to(limit.bound_a, "A"));
  return fmt::format("{} is within {}", value, limit_text);
}

}  // namespace gridiron
