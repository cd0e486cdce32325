// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/nets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/error.hpp"

namespace gridiron {
namespace {

/// Source voltages that differ by less than this fraction of the largest belong to one net even when resistors connect
/// them; nets of equal name in different parts are one net when their nominal voltages differ by less than kSameNominal
/// of it.
constexpr double kOneSupply = 0.1;
constexpr double kSameNominal = 1e-3;

/// What is known about a part before its nets are named.
struct PartFacts {
  std::map<std::int32_t, std::int64_t> labels;  ///< net names of its nodes, with counts
  std::map<double, std::int64_t> volts;         ///< source voltages, with counts
  std::map<double, NodeId> fed;                 ///< first node at each of them
  double load_a = 0;                            ///< drawn by its loads
  Origin source{};                              ///< of the first voltage source that feeds it
  bool has_source = false;
};

/// The key with the highest count; the smallest such key when several tie.
template <class Iterator>
Iterator most_frequent(Iterator first, Iterator last) {
  return std::max_element(first, last, [](const auto& a, const auto& b) { return a.second < b.second; });
}

void add_pads(const std::vector<AddedPad>& pads, const Parts& parts, std::vector<PartFacts>& facts) {
  std::vector<bool> has_volts(facts.size());
  std::transform(facts.begin(), facts.end(), has_volts.begin(), [](const PartFacts& f) { return !f.volts.empty(); });
  for (const AddedPad& pad : pads) {
    const std::int32_t part = parts.part[pad.node];
    if (has_volts[part]) continue;
    ++facts[part].volts[pad.volts];
    facts[part].fed.try_emplace(pad.volts, pad.node);
  }
}

std::vector<PartFacts> collect(const Circuit& circuit, const NodePlaces& places, const Grid& grid, const Parts& parts,
                               const std::vector<double>& known_volts, const std::vector<AddedPad>& added_pads) {
  std::vector<PartFacts> facts(parts.count());
  // Neighbouring nodes mostly share part and label: count runs, not nodes.
  std::int32_t run_part = -1, run_label = -1;
  std::int64_t run = 0;
  const auto end_run = [&] {
    if (run > 0 && run_label >= 0) facts[run_part].labels[run_label] += run;
    run = 0;
  };
  for (NodeId n = 1; n < circuit.node_count(); ++n) {
    if (parts.part[n] != run_part || places.net[n] != run_label) {
      end_run();
      run_part = parts.part[n];
      run_label = places.net[n];
    }
    ++run;
    PartFacts& f = facts[parts.part[n]];
    f.load_a -= grid.network.injection[n];
    if (std::isnan(known_volts[n])) continue;
    ++f.volts[known_volts[n]];
    f.fed.try_emplace(known_volts[n], n);
  }
  end_run();
  add_pads(added_pads, parts, facts);
  const Sources& sources = circuit.voltage_sources;
  for (std::int64_t i = 0; i < sources.size(); ++i) {
    for (const NodeId n : {sources.a[i], sources.b[i]}) {
      if (n == kGround || facts[parts.part[n]].has_source) continue;
      facts[parts.part[n]].has_source = true;
      facts[parts.part[n]].source = sources.origin[i];
    }
  }
  return facts;
}

/// Assigns net ids by name and nominal voltage.
class NetList {
 public:
  explicit NetList(std::vector<Net>& nets) : nets_(nets) {}

  std::int32_t id(const std::string& name, double nominal) {
    std::vector<std::int32_t>& same_name = by_name_[name];
    for (const std::int32_t k : same_name) {
      const double v = nets_[k].nominal_v;
      if (std::abs(v - nominal) <= kSameNominal * std::max(std::abs(v), std::abs(nominal))) return k;
    }
    same_name.push_back(static_cast<std::int32_t>(nets_.size()));
    nets_.push_back({name, nominal});
    return same_name.back();
  }

  /// Distinguishes nets of one name at several voltages.
  void distinguish() {
    for (const auto& [name, ids] : by_name_)
      if (ids.size() > 1)
        for (const std::int32_t k : ids) nets_[k].name = fmt::format("{}@{}V", name, nets_[k].nominal_v);
  }

 private:
  std::vector<Net>& nets_;
  std::map<std::string, std::vector<std::int32_t>> by_name_;
};

/// Name by the comment card of the file that feeds the part (OpenROAD: "* Netlist for VSS on default"), or empty.
std::string card_name(const Circuit& circuit, const PartFacts& f) {
  std::string name;
  for (const NetCard& card : circuit.net_cards)
    if (f.has_source && card.origin.file == f.source.file && card.origin.offset < f.source.offset) name = card.net;
  if (name.empty() && circuit.net_cards.size() == 1) name = circuit.net_cards[0].net;
  return name;
}

}  // namespace

std::int32_t Nets::net_of(std::int32_t part, double voltage) const {
  std::int32_t best = -1;
  for (std::int32_t k = first_of_part[part]; k < first_of_part[part + 1]; ++k) {
    const std::int32_t net = candidates[k];
    if (best < 0 || std::abs(nets[net].nominal_v - voltage) < std::abs(nets[best].nominal_v - voltage)) best = net;
  }
  return best;
}

Nets name_nets(const Circuit& circuit, const NodePlaces& places, const Grid& grid, const Parts& parts,
               const std::vector<double>& known_volts, const std::map<std::string, double>& overrides,
               const std::vector<AddedPad>& added_pads) {
  const std::vector<PartFacts> facts = collect(circuit, places, grid, parts, known_volts, added_pads);
  Nets out;
  NetList list(out.nets);
  std::vector<bool> used(overrides.size(), false);
  const auto override_of = [&](const std::string& name, double& nominal) {
    std::size_t k = 0;
    for (const auto& [net, volts] : overrides) {
      if (same_name(net, name)) {
        nominal = volts;
        used[k] = true;
      }
      ++k;
    }
  };
  const auto tell = [&](std::string code, std::string message) {
    out.findings.push_back({Finding::Severity::warning, std::move(code), std::move(message), circuit.files[0]->path()});
  };

  out.first_of_part.push_back(0);
  for (std::int32_t p = 0; p < parts.count(); ++p) {
    const PartFacts& f = facts[p];
    if (parts.anchored[p]) {
      std::string label;
      if (!f.labels.empty())
        label = places.nets[most_frequent(f.labels.begin(), f.labels.end())->first];
      else
        label = card_name(circuit, f);

      // Source voltages that lie close together are one supply.
      const double largest =
          f.volts.empty() ? 0.0 : std::max(std::abs(f.volts.begin()->first), std::abs(f.volts.rbegin()->first));
      auto first = f.volts.begin();
      do {
        auto last = first;
        while (last != f.volts.end() && (last == first || last->first - std::prev(last)->first <= kOneSupply * largest))
          ++last;
        double nominal = 0;
        std::string name = label;
        if (first != f.volts.end()) {
          nominal = most_frequent(first, last)->first;
          const std::string_view fed = circuit.node_name(f.fed.find(nominal)->second);
          const bool plain = !parse_node_name(fed).has_place();
          if (name.empty()) name = plain ? std::string(fed) : nominal == 0 ? "VSS" : "VDD";
        } else {
          if (name.empty()) name = std::string(circuit.node_name(parts.first_node[p]));
          for (const NominalCard& card : circuit.nominal_cards)
            if (same_name(card.net, name)) nominal = card.volts;
        }
        override_of(name, nominal);
        out.candidates.push_back(list.id(name, nominal));
        if (first == f.volts.end() && nominal == 0 && f.load_a > 0)
          tell("net-without-source",
               fmt::format(
                   "net {} has a load of {:g} A but no voltage source: only resistors to other nets or ground feed it",
                   name, f.load_a));
        first = last;
      } while (first != f.volts.end());

      const auto supplies = out.candidates.size() - static_cast<std::size_t>(out.first_of_part.back());
      if (supplies > 1)
        tell("supplies-joined",
             fmt::format(
                 "resistors join {} supplies of different voltage at {}; each node is assigned to the nearest one",
                 supplies, circuit.node_name(parts.first_node[p])));
      else if (f.labels.size() > 1)
        tell("nets-joined", fmt::format("nodes named after {} different nets are connected; they are treated as net {}",
                                        f.labels.size(), label));
    }
    out.first_of_part.push_back(static_cast<std::int32_t>(out.candidates.size()));
  }

  std::size_t k = 0;
  for (const auto& [name, volts] : overrides)
    if (!used[k++]) out.unused.push_back(name);
  list.distinguish();
  return out;
}

void require_used(const std::map<std::string, double>& overrides, const Nets& nets) {
  const bool has_power = std::any_of(nets.nets.begin(), nets.nets.end(), [](const Net& n) { return !n.is_ground(); });
  if (nets.unused.empty() || !has_power) return;
  throw InputError(fmt::format("{} {}={:g}: the netlist has no such net; see 'gridiron check'", field("nominal"),
                               nets.unused[0], overrides.at(nets.unused[0])));
}

}  // namespace gridiron
