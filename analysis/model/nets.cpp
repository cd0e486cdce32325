// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/nets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model/comment_cards.hpp"
#include "analysis/model/deck/written_nodes.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/model/joined_nets.hpp"
#include "analysis/model/part_facts.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

/// Source voltages that differ by less than this fraction of the largest belong to one net even when resistors connect
/// them; nets of equal name in different parts are one net when their nominal voltages differ by less than kSameNominal
/// of it. Voltages that differ by less than kSameVolts are not worth a warning.
constexpr double kOneSupply = 0.1, kSameNominal = 1e-3, kSameVolts = 1e-6;

bool differ(double a, double b, double relative) {
  return std::abs(a - b) > relative * std::max(std::abs(a), std::abs(b));
}

using Feeds = std::map<double, Feed>;

/// The source voltages of one supply, ascending.
struct Supply {
  Feeds::const_iterator first, last;

  bool is_empty() const { return first == last; }
  double lowest() const { return first->first; }
  double highest() const { return std::prev(last)->first; }
  /// The voltage that drops are counted from; that of a ground net is 0.
  double nominal() const {
    if (lowest() <= 0 && highest() >= 0) return 0;
    return highest() > 0 ? highest() : lowest();
  }
  /// Where it is held at that voltage, or at its highest.
  const Feed& main_feed() const { return (lowest() == nominal() ? first : std::prev(last))->second; }
};

/// Voltages that lie close together are one supply, and if the nodes bear one net name all on one side of 0 V are. At
/// least one supply, which is empty if nothing feeds the part.
std::vector<Supply> supplies_of(const Feeds& feeds, bool has_one_name) {
  if (feeds.empty()) return {{feeds.begin(), feeds.end()}};
  const double largest = std::max(std::abs(feeds.begin()->first), std::abs(feeds.rbegin()->first));
  const auto is_same = [&](double below, double above) {
    return above - below <= kOneSupply * largest || (has_one_name && below * above > 0);
  };
  std::vector<Supply> supplies;
  for (auto first = feeds.begin(); first != feeds.end();) {
    auto last = std::next(first);
    while (last != feeds.end() && is_same(std::prev(last)->first, last->first)) ++last;
    supplies.push_back({first, last});
    first = last;
  }
  return supplies;
}

/// Name by the comment card of the file that feeds the part (OpenROAD: "* Netlist for VSS on default"), or empty.
std::string card_name(const Circuit& circuit, const PartFacts& f) {
  std::string name;
  for (const NetCard& card : circuit.net_cards)
    if (f.source && card.origin.file == f.source->file && card.origin.offset < f.source->offset) name = card.net;
  if (name.empty() && circuit.net_cards.size() == 1) name = circuit.net_cards[0].net;
  return name;
}

/// Names the nets of one part after the other and collects what is odd about them.
class NetNamer {
 public:
  NetNamer(const Circuit& circuit, const NodePlaces& places, const Parts& parts, const std::vector<PartFacts>& facts,
           const std::map<std::string, double>& overrides)
      : circuit_(circuit), places_(places), parts_(parts), facts_(facts), overrides_(overrides) {}

  Nets run() {
    find_unsupplied();
    out_.first_of_part.push_back(0);
    name_ground_alone();
    for (int32_t part = 0; part < parts_.count(); ++part) {
      out_.inverted.push_back(0);
      if (parts_.anchored[part] && facts_[part].inside < parts_.nodes[part]) name_part(part);
      out_.first_of_part.push_back(static_cast<int32_t>(out_.candidates.size()));
    }
    for (const JoinedNets& joined : find_joined_nets(circuit_, places_, parts_, facts_, joined_parts_))
      tell("nets-joined", joined.message, joined.place);
    for (const auto& [name, volts] : overrides_)
      if (!used_.contains(name)) out_.unused.push_back(name);
    tell_of_unsupplied();
    append(out_.findings, check_comments(circuit_, places_, out_.nets, overrides_));
    distinguish();
    return std::move(out_);
  }

 private:
  void name_part(int32_t part) {
    const PartFacts& f = facts_[part];
    if (is_unsupplied_[part]) return name_unsupplied(part);
    const std::string label = f.labels.empty() ? card_name(circuit_, f) : places_.nets[main_label(f)];
    const size_t first_candidate = out_.candidates.size();
    const std::vector<Supply> supplies = supplies_of(f.feeds, f.labels.size() == 1);
    const std::vector<int32_t> labels = labels_of(supplies);
    for (size_t s = 0; s < supplies.size(); ++s) {
      const int32_t net = name_supply(part, supplies[s], labels[s] < 0 ? label : places_.nets[labels[s]]);
      if (std::find(out_.candidates.begin() + first_candidate, out_.candidates.end(), net) != out_.candidates.end())
        continue;
      out_.candidates.push_back(net);
      out_.labels.push_back(labels[s]);
    }
    if (out_.candidates.size() - first_candidate > 1)
      tell("supplies-joined",
           fmt::format("resistors join supplies of different voltage, {} and {}; each node is of the one that its "
                       "name tells, or else of the nearest one",
                       described(*f.feeds.begin()), described(*f.feeds.rbegin())),
           place_of(f.feeds.rbegin()->second));
    else if (f.labels.size() > 1)
      joined_parts_.push_back(part);
  }

  /// Single nodes that no source feeds and whose names no other part has, as terminals of loads that a large resistance
  /// holds: several of them are no net each.
  void find_unsupplied() {
    std::map<int32_t, int64_t> parts_of_label;
    for (const PartFacts& f : facts_)
      for (const auto& [label, count] : f.labels) ++parts_of_label[label];
    const auto is_known = [&](const auto& label) { return parts_of_label[label.first] > 1; };
    for (int32_t part = 0; part < parts_.count(); ++part)
      is_unsupplied_.push_back(parts_.anchored[part] && parts_.nodes[part] == 1 && facts_[part].feeds.empty() &&
                               facts_[part].inside == 0 && std::ranges::none_of(facts_[part].labels, is_known));
    if (std::ranges::count(is_unsupplied_, 1) < 2) is_unsupplied_.assign(parts_.count(), 0);
  }

  void name_unsupplied(int32_t part) {
    out_.candidates.push_back(id_of("unsupplied", 0));
    out_.labels.push_back(-1);
    unsupplied_a_ += facts_[part].load_a;
  }

  void tell_of_unsupplied() {
    const auto first = std::ranges::find(is_unsupplied_, 1);
    if (first == is_unsupplied_.end()) return;
    tell("net-without-source",
         fmt::format("{} nodes, the first one {}, have loads of {:g} A and no voltage source: only resistors to other "
                     "nets or ground feed them; they are net unsupplied",
                     std::ranges::count(is_unsupplied_, 1),
                     shown(circuit_.node_name(parts_.first_node[first - is_unsupplied_.begin()])), unsupplied_a_),
         {});
  }

  /// In a deck without any voltage source, the only name that is given for 0 V is that of all that no name tells of,
  /// unless it is one of the deck's.
  void name_ground_alone() {
    if (circuit_.voltage_sources.size() > 0) return;
    for (const auto& nominal : overrides_) {
      const std::string& net = nominal.first;
      if (nominal.second != 0) continue;
      const bool is_label =
          std::ranges::any_of(places_.nets, [&](const std::string& label) { return same_name(label, net); });
      if (!ground_alone_.empty() || is_label || circuit_.nodes.find(net) >= 0) {
        ground_alone_.clear();
        return;
      }
      ground_alone_ = net;
    }
  }

  /// Of each of several supplies the net name that only its node bears; −1 where there is none.
  std::vector<int32_t> labels_of(const std::vector<Supply>& supplies) const {
    std::vector<int32_t> labels;
    for (const Supply& supply : supplies)
      labels.push_back(supply.is_empty() || supplies.size() == 1 ? -1 : label_of(supply.main_feed()));
    const std::vector<int32_t> all = labels;
    for (int32_t& label : labels)
      if (std::ranges::count(all, label) > 1) label = -1;
    return labels;
  }

  int32_t label_of(const Feed& feed) const {
    const NodeId written = written_.of(feed.node);
    return written == feed.node ? feed.label : places_.net[written];
  }

  int32_t name_supply(int32_t part, const Supply& supply, const std::string& label) {
    const PartFacts& f = facts_[part];
    double nominal = 0;
    std::string name = label;
    if (!supply.is_empty()) {
      nominal = supply.nominal();
      const SpelledName node = circuit_.node_name(written_.of(supply.main_feed().node));
      const bool plain = places_.matched >= 0 || places_.placed == 0 || !parse_node_name(node).has_place();
      if (name.empty()) name = plain ? std::string(node) : nominal == 0 ? "VSS" : "VDD";
    } else {
      if (name.empty()) name = ground_alone_;
      if (name.empty()) name = std::string(circuit_.node_name(parts_.first_node[part]));
      for (const NominalCard& card : circuit_.nominal_cards)
        if (same_name(card.net, name)) nominal = card.volts;
    }
    const bool is_decided = override_of(name, nominal);
    if (!supply.is_empty() && !is_decided && differ(supply.lowest(), supply.highest(), kSameVolts))
      warn_of_several_voltages(name, nominal, supply);
    if (nominal == 0 && f.load_a > 0) warn_of_reversed_ground(part, name, supply.is_empty());
    return id_of(name, nominal);
  }

  /// Current is drawn from a net at 0 V: OpenROAD writes the sinks of ground nets so.
  void warn_of_reversed_ground(int32_t part, const std::string& name, bool has_no_source) {
    const PartFacts& f = facts_[part];
    if (has_no_source)
      tell("net-without-source",
           fmt::format(
               "net {} has a load of {:g} A but no voltage source: only resistors to other nets or ground feed it",
               shown(name), f.load_a),
           {});
    else if (f.is_quiet && !circuit_.net_cards.empty()) {
      out_.inverted[part] = 1;
      if (circuit_.made_names) return;  // nobody wrote these sinks
      out_.findings.push_back(
          {Finding::Severity::info, "sinks-inverted",
           fmt::format("the sinks of ground net {} draw {:g} A out of it, as OpenROAD writes them; they are taken as "
                       "currents into it, so that it bounces up",
                       shown(name), f.load_a),
           circuit_.place(circuit_.net_cards[0].origin)});
    }
  }

  void warn_of_several_voltages(const std::string& name, double nominal, const Supply& supply) {
    const auto odd = supply.lowest() == nominal ? std::prev(supply.last) : supply.first;
    const auto count = std::distance(supply.first, supply.last);
    tell(
        "several-voltages",
        fmt::format("the sources of net {} have different voltages, {} and {}{}; drops are counted from {:g} V; decide "
                    "with {} NET=VOLTS",
                    shown(name), described(*supply.first), described(*std::prev(supply.last)),
                    count > 2 ? fmt::format(" and {} between", count - 2) : "", nominal, field("nominal")),
        place_of(odd->second));
  }

  /// Net of a name at a nominal voltage.
  int32_t id_of(const std::string& name, double nominal) {
    std::vector<int32_t>& same_name = by_name_[name];
    for (const int32_t k : same_name) {
      double& v = out_.nets[k].nominal_v;
      if (differ(v, nominal, kSameNominal)) continue;
      if (differ(v, nominal, kSameVolts))
        tell(
            "several-voltages",
            fmt::format("unconnected pieces of net {} are at {:g} V and {:g} V; drops are counted from the higher one; "
                        "decide with {} NET=VOLTS",
                        shown(name), v, nominal, field("nominal")),
            {});
      if (std::abs(nominal) > std::abs(v)) v = nominal;
      return k;
    }
    same_name.push_back(static_cast<int32_t>(out_.nets.size()));
    out_.nets.push_back({name, nominal});
    return same_name.back();
  }

  /// Distinguishes nets of one name at several voltages.
  void distinguish() {
    for (const auto& [name, ids] : by_name_) {
      if (ids.size() < 2) continue;
      std::string names;
      for (const int32_t k : ids) {
        out_.nets[k].name = fmt::format("{}@{}V", name, out_.nets[k].nominal_v);
        if (names.size() < 200) names += (names.empty() ? "" : ", ") + shown(out_.nets[k].name);
      }
      tell("several-voltages",
           fmt::format("net {} is fed at several voltages and reported as {}; {} NET=VOLTS makes it one net",
                       shown(name), names, field("nominal")),
           {});
    }
  }

  bool override_of(const std::string& name, double& nominal) {
    bool found = false;
    for (const auto& [net, volts] : overrides_) {
      if (!same_name(net, name)) continue;
      nominal = volts;
      used_[net] = found = true;
    }
    return found;
  }

  /// "1.75 V at n1_0_0".
  std::string described(const Feeds::value_type& feed) const {
    return fmt::format("{:g} V at {}", feed.first, shown(circuit_.node_name(written_.of(feed.second.node))));
  }

  std::string place_of(const Feed& feed) const { return feed.card ? circuit_.place(*feed.card) : ""; }

  void tell(std::string code, std::string message, std::string place) {
    if (place.empty()) place = circuit_.files[0]->path();
    out_.findings.push_back({Finding::Severity::warning, std::move(code), std::move(message), std::move(place)});
  }

  const Circuit& circuit_;
  const NodePlaces& places_;
  const Parts& parts_;
  const std::vector<PartFacts>& facts_;
  const std::map<std::string, double>& overrides_;
  const WrittenNodes written_{circuit_};
  Nets out_;
  std::map<std::string, std::vector<int32_t>> by_name_;
  std::map<std::string, bool> used_;
  std::vector<int32_t> joined_parts_;
  std::vector<uint8_t> is_unsupplied_;  ///< per part
  double unsupplied_a_ = 0;
  std::string ground_alone_;
};

}  // namespace

int32_t Nets::net_of(int32_t part, int32_t label, double voltage) const {
  int32_t best = -1;
  if (label >= 0)
    for (int32_t k = first_of_part[part]; k < first_of_part[part + 1]; ++k)
      if (labels[k] == label) return candidates[k];
  for (int32_t k = first_of_part[part]; k < first_of_part[part + 1]; ++k) {
    const int32_t net = candidates[k];
    if (best < 0 || std::abs(nets[net].nominal_v - voltage) < std::abs(nets[best].nominal_v - voltage)) best = net;
  }
  return best;
}

Nets name_nets(const Circuit& circuit, const NodePlaces& places, const Parts& parts,
               const std::vector<PartFacts>& facts, const std::map<std::string, double>& overrides) {
  return NetNamer(circuit, places, parts, facts, overrides).run();
}

void add_nominal(std::map<std::string, double>& overrides, const std::string& net, double volts) {
  const auto same = std::ranges::find_if(overrides, [&](const auto& other) { return same_name(other.first, net); });
  if (same == overrides.end())
    overrides.emplace(net, volts);
  else if (same->second != volts)
    throw field_error("nominal", "{}={:g}: net {} has the nominal voltage {:g} V already; leave one of them out", net,
                      volts, same->first, same->second);
}

void require_used(const std::map<std::string, double>& overrides, const Nets& nets) {
  const bool has_power = std::ranges::any_of(nets.nets, [](const Net& n) { return !n.is_ground(); });
  if (nets.unused.empty() || !has_power) return;
  throw field_error("nominal", "{}={:g}: the netlist has no such net; it has {}", nets.unused[0],
                    overrides.at(nets.unused[0]), nets_near(nets.unused[0], nets.nets));
}

}  // namespace gridiron
