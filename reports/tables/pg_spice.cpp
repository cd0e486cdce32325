// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/pg_spice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/model/nets.hpp"
#include "netlist/deck/deck_file.hpp"
#include "netlist/names/sink_comment.hpp"
#include "netlist/writer.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

class PgSpice {
 public:
  PgSpice(const System& system, const Loads& loads, const std::filesystem::path& path)
      : circuit_(*system.design()->circuit), topology_(system.topology()), loads_(loads.vector(0)), file_(path) {
    in_force_.assign(circuit_.voltage_sources.size(), 0);
    for (const Grid::TieElement& tie : topology_.grid.tie_elements)
      if (tie.kind == kVoltageSource) in_force_[tie.index] = 1;
  }

  /// `name`: of the net that is written; empty: several are.
  void write_heading(const std::string& name) {
    if (name.empty())
      file_.write("* Netlist of a power grid\n");
    else
      file_.print("* Netlist for {} on default\n", name);
    write_annotations(circuit_, file_);
  }

  /// Elements of a net, −1: of all.
  void write(int32_t net) {
    file_.print("\n* Resistive network\n");
    const Elements& r = circuit_.resistors;
    for (int64_t i = 0, edge = 0; i < r.size(); ++i) {
      const bool is_edge = r.a[i] != r.b[i] && r.value[i] != 0;
      if (is_wanted(net, r.a[i], r.b[i])) card(kResistor, i, "R=", is_edge ? ohm(i, edge) : r.value[i]);
      edge += is_edge;
    }
    write_storage(net);
    file_.print("\n* Sinks\n");
    const Sources& sinks = circuit_.current_sources;
    for (int64_t i = 0; i < sinks.size(); ++i) {
      if (!is_wanted(net, sinks.a[i], sinks.b[i])) continue;
      if (const SinkName name = sink_name(circuit_, i); !name.instance.empty())
        file_.print("* Sink for {}\n", name.text());
      const bool is_of_deck = loads_[i] == sinks.value[i];
      card(kCurrentSource, i, "DC ", loads_[i], is_of_deck ? waveform_of(circuit_, kCurrentSource, i) : "");
    }
    file_.print("\n* Sources\n");
    const Sources& v = circuit_.voltage_sources;
    for (int64_t i = 0; i < v.size(); ++i)
      if (in_force_[i] && is_wanted(net, v.a[i], v.b[i]))
        card(kVoltageSource, i, "DC ", v.value[i], waveform_of(circuit_, kVoltageSource, i));
    for (size_t k = 0; k < topology_.added_pads.size(); ++k) {
      const AddedPad& pad = topology_.added_pads[k];
      if (!is_wanted(net, pad.node, kGround)) continue;
      const std::string inner = unused_node(k);
      file_.print("* {}\nV_added_{} {} 0 DC {}\nR_added_{} {} {} R={}\n", pad.name, k, inner, pad.volts, k, inner,
                  circuit_.node_name(pad.node), 1 / pad.conductance);
    }
  }

  void finish(int32_t net) {
    file_.print("\n* Footer\n{}\n", circuit_.tran.stop > 0 ? tran_card(circuit_.tran) : ".OP");
    for (const std::string& name : circuit_.print_nodes)
      if (const NodeId node = circuit_.nodes.find(name); net < 0 || (node >= 0 && is_on(net, node)))
        file_.print(".print tran v({})\n", name);
    file_.print(".END\n");
    file_.commit();
  }

 private:
  /// Inductors, which the static grid has as shorts, and capacitors, which a simulation needs.
  void write_storage(int32_t net) {
    for (const Kind kind : {kInductor, kCapacitor}) {
      const Elements& e = circuit_.elements(kind);
      for (int64_t i = 0; i < e.size(); ++i)
        if (is_wanted(net, e.a[i], e.b[i])) card(kind, i, "", e.value[i], initial_text(kind, i));
    }
    int64_t count = 0;
    for (const Coupling& k : circuit_.couplings) {
      const Elements& l = circuit_.inductors;
      if (is_wanted(net, l.a[k.a], l.b[k.a]) && is_wanted(net, l.a[k.b], l.b[k.b]))
        file_.print("k_{} {} {} {}\n", count++, card_name(circuit_, kInductor, k.a),
                    card_name(circuit_, kInductor, k.b), k.k);
    }
  }

  std::string initial_text(Kind kind, int64_t i) const {
    const auto place = [](const InitialCondition& condition) { return std::pair(condition.kind, condition.element); };
    const auto given = std::ranges::lower_bound(circuit_.initial_conditions, std::pair(kind, i), {}, place);
    const bool is_given = given != circuit_.initial_conditions.end() && place(*given) == std::pair(kind, i);
    return is_given ? fmt::format(" ic={}", given->value) : "";
  }

  void card(Kind kind, int64_t i, std::string_view prefix, double value, std::string_view more = "") {
    const Elements& e = circuit_.elements(kind);
    file_.print("{} {} {} {}{}{}\n", card_name(circuit_, kind, i), circuit_.node_name(e.a[i]),
                circuit_.node_name(e.b[i]), prefix, value, more);
  }

  /// What the deck says unless it was edited: a reciprocal of a reciprocal is rounded twice.
  double ohm(int64_t resistor, int64_t edge) const {
    const double conductance = topology_.grid.network.conductance[edge];
    const double of_deck = circuit_.resistors.value[resistor];
    return 1 / of_deck == conductance ? of_deck : 1 / conductance;
  }

  bool is_wanted(int32_t net, NodeId a, NodeId b) const { return net < 0 || is_on(net, a) || is_on(net, b); }
  bool is_on(int32_t net, NodeId node) const {
    if (node == kGround) return false;
    const size_t part = topology_.parts.part[node];
    const Nets& nets = topology_.nets;
    for (int32_t k = nets.first_of_part[part]; k < nets.first_of_part[part + 1]; ++k)
      if (nets.candidates[k] == net) return true;
    return false;
  }

  std::string unused_node(size_t pad) const {
    std::string name = fmt::format("gridiron_pad_{}", pad);
    while (circuit_.nodes.find(name) >= 0) name += '_';
    return name;
  }

  const Circuit& circuit_;
  const Topology& topology_;
  std::span<const double> loads_;
  std::vector<uint8_t> in_force_;  ///< per voltage source: it was not dropped
  DeckFile file_;
};

int32_t index_of(const std::vector<Net>& nets, const std::string& name) {
  if (const auto found = std::ranges::find(nets, name, &Net::name); found != nets.end())
    return static_cast<int32_t>(found - nets.begin());
  throw field_error("net", "{}: the netlist has no such net; it has {}", name, nets_near(name, nets));
}

}  // namespace

void write_pg_spice(const System& system, const Loads& loads, const std::string& net,
                    const std::filesystem::path& path) {
  const std::vector<Net>& nets = system.topology().nets.nets;
  const int32_t wanted = !net.empty() ? index_of(nets, net) : nets.size() == 1 ? 0 : -1;
  PgSpice spice(system, loads, path);
  spice.write_heading(wanted >= 0 ? nets[wanted].name : "");
  spice.write(net.empty() ? -1 : wanted);
  spice.finish(net.empty() ? -1 : wanted);
}

}  // namespace gridiron
