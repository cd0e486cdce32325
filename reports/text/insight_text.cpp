// SPDX-License-Identifier: Apache-2.0
#include "reports/text/insight_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analysis/insight/explain.hpp"
#include "analysis/results/segments.hpp"
#include "reports/lookup.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/length_unit.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/ranking.hpp"
#include "reports/text/text_table.hpp"

namespace gridiron {
namespace {

constexpr size_t kPads = 5, kSpots = 10, kSegmentLayers = 40, kLoads = 5, kSharesOfSentence = 3, kSentences = 2;
constexpr double kTold = 1e-6;  ///< share of a drop that is worth a line

std::string ohms(double r) { return with_unit(r, "Ohm"); }

std::string resistor_name(const IrReport& result, int64_t resistor) {
  return resistor < 0 ? "-" : printable(result.circuit->element_name(kResistor, resistor));
}

std::string layer_of(const IrReport& result, NodeId node) {
  return name_or_dash(layer_name(result, result.nodes.layer[node]));
}

std::string path_lines(const IrReport& result, const Path& path) {
  if (path.pad == kGround) return "  No conductors lead to a pad of its net.\n";
  TextTable table({"layer", "segments>", "resistance>", "drop>"});
  for (const LayerPart& part : parts_of(result, path))
    table.add({name_or_dash(layer_text(result.layer_names, part.layers)), grouped(part.steps), ohms(part.ohm),
               volts(part.drop_v)});
  return fmt::format("  Path of least resistance to pad {}: {}\n{}", printable(node_name(result, path.pad)),
                     ohms(path.ohm), table.str());
}

std::string load_lines(const IrReport& result, const Explanation& e) {
  const auto is_told = [&](double part_v) { return std::abs(part_v) > kTold * std::abs(e.drop_v); };
  const std::array others_than_loads{std::pair("what capacitors take", e.capacitors_v.value_or(0)),
                                     std::pair("across inductors", e.inductors_v.value_or(0)),
                                     std::pair("without any load", e.unequal_sources_v)};
  if (e.loads.empty() && std::ranges::none_of(others_than_loads, is_told, &std::pair<const char*, double>::second))
    return "";
  TextTable table({"load", "current>", "sees>", "of the drop>"});
  int64_t others = e.other_loads;
  double others_v = e.other_loads_v;
  for (size_t k = 0; k < e.loads.size(); ++k) {
    const LoadEffect& load = e.loads[k];
    if (k >= kLoads) {
      ++others;
      others_v += load.drop_v;
      continue;
    }
    table.add({printable(result.circuit->element_name(kCurrentSource, load.source)), amperes(load.current_a),
               ohms(load.ohm), volts(load.drop_v)});
  }
  if (others > 0) table.add({count_of(others, "other load"), "", "", volts(others_v)});
  for (const auto& [words, part_v] : others_than_loads)
    if (is_told(part_v)) table.add({words, "", "", volts(part_v)});
  return "  Loads that drop it most\n" + table.str();
}

std::string widening_lines(const IrReport& result, const Explanation& e) {
  if (e.segments.empty()) return "  No segment would lower it by being wider.\n";
  TextTable table({"segment", "layer", "from", "to", "current>", "gain of 1 % wider>"});
  const Elements& resistors = result.circuit->resistors;
  for (const SegmentEffect& effect : e.segments) {
    const int64_t i = effect.resistor;
    table.add({resistor_name(result, i), name_or_dash(layer_text(result.layer_names, layers_of(result, i))),
               printable(node_name(result, resistors.a[i])), printable(node_name(result, resistors.b[i])),
               amperes(result.segments.current_a[i]), volts(-0.01 * effect.sensitivity_v)});
  }
  const std::string these =
      e.segments.size() == 1 ? "this segment" : fmt::format("these {} segments", e.segments.size());
  return fmt::format("  Widening {} by {:g} % gains {} (another solve; {} predicted, certified to {}{})\n{}", these,
                     100 * e.widened_by, volts(e.gain_v), volts(e.predicted_gain_v), volts(e.gain_bound_v),
                     e.capacitors_v ? "; capacitors as they are" : "", table.str());
}

std::string part_name(const IrReport& result, const DropShare& share) {
  switch (share.part) {
    case NetPart::layer:
    case NetPart::vias:
      return printable(layer_text(result.layer_names, share.layers));
    case NetPart::unlayered:
      return share.layers.layer < 0 ? "unknown layer" : printable(layer_text(result.layer_names, share.layers));
    case NetPart::sources:
      return share.segments > 0 ? "sources, other nets" : "sources";
    default:
      return name_of(share.part);
  }
}

/// "1 024 nodes on M6".
std::string candidates_of(const IrReport& result, const PadGains& of) {
  std::string layers;
  for (const LayerIndex& layer : of.layers)
    layers += (layers.empty() ? " on " : ", ") + printable(layer_name(result, layer.index));
  return count_of(of.candidates, "free node") + layers;
}

std::string pad_lines(const IrReport& result, const PadGains& of) {
  const std::string candidates = candidates_of(result, of);
  if (of.candidates == 0) return fmt::format("  There are {} that lead there.\n", candidates);
  const std::string others = of.is_best ? "gains 0.1 % of the drop more"
                                        : fmt::format("of the {} that were tried gains more", grouped(of.tried));
  if (of.places.empty()) return fmt::format("  Of {} none gains 0.1 % of the drop.\n", candidates);
  const LengthUnit unit = length_unit(result);
  TextTable table({"pad at", "layer", fmt::format("x {}>", unit.ascii), fmt::format("y {}>", unit.ascii), "gain>",
                   "worst drop then>", "certified to>", "at"});
  for (const PadGain& gain : of.places)
    table.add({printable(node_name(result, gain.node)), layer_of(result, gain.node),
               coordinate(unit, result.nodes.x_um[gain.node]), coordinate(unit, result.nodes.y_um[gain.node]),
               volts(gain.gain_v), volts(gain.worst_drop_v), volts(gain.bound_v),
               printable(node_name(result, gain.worst_node))});
  return table.str() + fmt::format("  Of {} no other {}.\n", candidates, others);
}

}  // namespace

std::string corner_of(const IrReport& result) {
  for (const auto& [option, value] : result.run.options)
    if (option == "corner") return value;
  return "default";
}

std::string openroad_em_block(const IrReport& result) {
  std::vector<Statistics> of_net(result.nets.size());
  const TerminalNodes terminals(*result.circuit);
  for (int64_t i = 0; i < std::ssize(result.segments.current_a); ++i) {
    if (!result.segments.has(i) || terminals.has_link(i)) continue;
    const int32_t net = result.nodes.net[result.circuit->resistors.a[i]];
    if (net >= 0) of_net[net].add(std::abs(result.segments.current_a[i]), i);
  }
  std::string out;
  for (size_t k = 0; k < of_net.size(); ++k) {
    if (of_net[k].count == 0) continue;
    out += fmt::format(
        "########## EM analysis ###############\nNet                : {}\nCorner             : {}\n"
        "Maximum current    : {:3.2e} A\nAverage current    : {:3.2e} A\nNumber of resistors: {}\n"
        "######################################\n",
        printable(result.nets[k].name), printable(corner_of(result)), of_net[k].largest.value, of_net[k].average(),
        of_net[k].count);
  }
  return out;
}

std::string segment_lines(const IrReport& result) {
  if (result.segment_layers.empty()) return "";
  const bool has_sections = result.circuit && result.circuit->placement;
  const std::vector<int64_t> densest = has_sections ? densest_segments(result) : std::vector<int64_t>();
  std::vector<std::string> titles = {"net",      "layer",  "segments>", "largest current>",
                                     "average>", "power>", "largest in"};
  if (has_sections) titles.insert(titles.end(), {"most by width>", "that in"});
  TextTable table(std::move(titles));
  for (size_t k = 0; k < std::min(kSegmentLayers, result.segment_layers.size()); ++k) {
    const SegmentLayerResult& layer = result.segment_layers[k];
    std::vector<std::string> row = {name_or_dash(net_name(result, layer.net)),
                                    name_or_dash(layer_text(result.layer_names, layer.layers)),
                                    grouped(layer.segments),
                                    amperes(layer.largest_current_a),
                                    amperes(layer.average_current_a),
                                    with_unit(layer.power_w, "W"),
                                    resistor_name(result, layer.worst)};
    if (has_sections) {
      row.push_back(densest[k] < 0 ? "-" : with_unit(section_of(result, densest[k]).a_per_um, "A/um"));
      row.push_back(resistor_name(result, densest[k]));
    }
    table.add(std::move(row));
  }
  const size_t layers = result.segment_layers.size();
  return fmt::format("\nSegments{}\n{}",
                     layers > kSegmentLayers ? fmt::format(", {} of {} layers", kSegmentLayers, layers) : "",
                     table.str());
}

std::string power_lines(const IrReport& result) {
  if (result.nets.empty()) return "";
  std::string out;
  if (!result.pads.empty()) {
    TextTable table({"pad", "net", "node", "current>", "share>"});
    for (size_t k = 0; k < std::min(kPads, result.pads.size()); ++k) {
      const PadResult& pad = result.pads[k];
      table.add({printable(pad.name), name_or_dash(net_name(result, pad.net)), printable(node_name(result, pad.node)),
                 amperes(pad.current_a), percent(100 * pad.share)});
    }
    out = fmt::format("\nLargest of {}\n{}", count_of(std::ssize(result.pads), "pad"), table.str());
  }
  const PowerBalance& power = result.power;
  return out + fmt::format("\nPower        sources deliver {}: loads take {}, resistors {}\n",
                           with_unit(power.sources_w, "W"), with_unit(power.loads_w, "W"),
                           with_unit(power.dissipated_w, "W"));
}

std::string hot_spot_lines(const IrReport& result) {
  if (result.hot_spots.empty()) return "";
  const LengthUnit unit = length_unit(result);
  TextTable table({"node", "net", "layer", fmt::format("x {}>", unit.ascii), fmt::format("y {}>", unit.ascii), "drop>",
                   "nearest pad", fmt::format("{} away>", unit.ascii)});
  const std::vector<size_t> listed = shown_hot_spots(result, kSpots);
  for (const size_t k : listed) {
    const HotSpot& spot = result.hot_spots[k];
    const bool has_pad = spot.pad != kGround;
    table.add({printable(node_name(result, spot.node)), name_or_dash(net_name(result, spot.net)),
               layer_of(result, spot.node), coordinate(unit, result.nodes.x_um[spot.node]),
               coordinate(unit, result.nodes.y_um[spot.node]), volts(spot.drop_v),
               has_pad ? printable(node_name(result, spot.pad)) : "-",
               has_pad ? coordinate(unit, spot.pad_distance_um) : "-"});
  }
  const std::string apart =
      result.hot_spot_distance_um > 0
          ? fmt::format(" (at least {:.4g} {} apart)", result.hot_spot_distance_um * unit.per_um, unit.ascii)
          : "";
  const auto shown = std::ssize(listed);
  return fmt::format(
      "\nHot spots{}{}\n{}",
      result.hot_spots_in_all > shown ? fmt::format(", {} of {}", shown, grouped(result.hot_spots_in_all)) : "", apart,
      table.str());
}

std::string drop_share_lines(const IrReport& result) {
  std::string out;
  for (const DropShares& of : result.drop_shares) {
    const std::string vector = result.vectors.empty() ? "" : fmt::format(", load vector {}", of.vector);
    out += fmt::format("\nWhere the {} at {} ({}{}) fall\n", volts(of.drop_v), printable(node_name(result, of.node)),
                       printable(net_name(result, of.net)), vector);
    TextTable table({"part", "segments>", "drop>", "of it>", "certified to>"});
    for (const DropShare& share : of.shares)
      table.add({part_name(result, share), grouped(share.segments), volts(share.drop_v),
                 of.drop_v > 0 ? percent(100 * share.drop_v / of.drop_v) : "-", volts(share.bound_v)});
    out += table.str();
  }
  return out;
}

std::string drop_share_sentences(const IrReport& result) {
  std::vector<const DropShares*> worst;
  for (const DropShares& of : result.drop_shares) worst.push_back(&of);
  std::ranges::stable_sort(worst, std::greater(), &DropShares::drop_v);
  worst.resize(std::min(kSentences, worst.size()));
  std::string out;
  for (const DropShares* const shares : worst) {
    const DropShares& of = *shares;
    std::string parts;
    for (size_t k = 0; k < std::min(kSharesOfSentence, of.shares.size()); ++k)
      parts += fmt::format("{}{:.0f} %{} in {}", k > 0 ? ", " : "", 100 * of.shares[k].drop_v / of.drop_v,
                           k > 0 ? "" : " fall", part_name(result, of.shares[k]));
    if (of.drop_v > 0 && !parts.empty())
      out += fmt::format("  Of the {} at {}, {}\n", volts(of.drop_v), printable(node_name(result, of.node)), parts);
  }
  return out;
}

std::string pad_gain_lines(const IrReport& result) {
  std::string out;
  for (const PadGains& of : result.pad_gains) {
    const std::string vector = result.vectors.empty() ? "" : fmt::format(", load vector {}", of.vector);
    const std::string pad = of.median_of > 0
                                ? fmt::format("{}, the median of {}", ohms(of.pad_ohm), grouped(of.median_of))
                                : ohms(of.pad_ohm);
    out += fmt::format("\nWhere one more pad ({}) lowers the {} at {} ({}{}) most\n", pad, volts(of.drop_v),
                       printable(node_name(result, of.node)), printable(net_name(result, of.net)), vector);
    out += pad_lines(result, of);
  }
  return out;
}

std::string explanation_lines(const IrReport& result, const std::string& when) {
  std::string out;
  for (const Explanation& e : result.explanations) {
    const std::string vector = result.vectors.empty() ? "" : fmt::format(", load vector {}", e.vector);
    out += fmt::format("\nWhy {} drops by {}{} ({} between it and the sources{})\n",
                       printable(node_name(result, e.node)), volts(e.drop_v), when, ohms(e.effective_ohm), vector);
    out += path_lines(result, e.path) + load_lines(result, e) + widening_lines(result, e);
  }
  return out;
}

}  // namespace gridiron
