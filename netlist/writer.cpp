// SPDX-License-Identifier: Apache-2.0
#include "netlist/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gridiron {
namespace {

/// Arguments of a waveform up to the first omitted one.
std::string waveform_text(const Waveform& waveform) {
  using Named = std::pair<const char*, std::vector<double>>;
  struct Numbers {
    Named operator()(const Pulse& p) const {
      return {"PULSE", {p.initial, p.pulsed, p.delay, p.rise, p.fall, p.width, p.period, p.pulses}};
    }
    Named operator()(const Sin& s) const {
      return {"SIN", {s.offset, s.amplitude, s.frequency, s.delay, s.damping, s.phase}};
    }
    Named operator()(const Exp& e) const {
      return {"EXP", {e.initial, e.pulsed, e.rise_delay, e.rise_tau, e.fall_delay, e.fall_tau}};
    }
    Named operator()(const Pwl& w) const {
      std::vector<double> numbers;
      for (const auto& [t, v] : w.points) numbers.insert(numbers.end(), {t, v});
      return {"PWL", numbers};
    }
  };
  const auto [name, numbers] = std::visit(Numbers{}, waveform);
  const auto omitted = std::ranges::find_if(numbers, [](double v) { return std::isnan(v); });
  const Pwl* const pwl = std::get_if<Pwl>(&waveform);
  return fmt::format(" {}({}){}", name, fmt::join(numbers.begin(), omitted, " "),
                     pwl && pwl->repeats() ? fmt::format(" R={}", pwl->repeat) : std::string());
}

std::string tran_text(const TranCard& tran) {
  std::string text = fmt::format(".tran {} {}", tran.step, tran.stop);
  if (tran.start > 0 || tran.largest > 0) text += fmt::format(" {}", tran.start);
  if (tran.largest > 0) text += fmt::format(" {}", tran.largest);
  return text + (tran.uic ? " uic" : "");
}

}  // namespace

std::string card_name(const Circuit& circuit, Kind kind, int64_t index) {
  constexpr char kLetters[] = {'r', 'c', 'l', 'v', 'i'};
  const std::string name = circuit.element_name(kind, index);
  return (name[0] | 0x20) == kLetters[kind] ? name : fmt::format("{}.{}", kLetters[kind], name);
}

void write_annotations(const Circuit& circuit, DeckFile& file) {
  if (circuit.dbu_card > 0) file.print("* dbu: {}\n", circuit.dbu_card);
  for (const LayerCard& c : circuit.layer_cards) file.print("* layer: {},{} net: {}\n", c.layer, c.net, c.number);
  for (const NominalCard& c : circuit.nominal_cards) file.print("* nominal: {} {}\n", c.net, c.volts);
}

void write_netlist(const Circuit& circuit, const std::filesystem::path& path) {
  DeckFile file(path);
  file.print("* {}\n", circuit.title.empty() ? "flat netlist" : circuit.title);
  for (const NetCard& c : circuit.net_cards) file.print("* Netlist for {} on default\n", c.net);
  write_annotations(circuit, file);
  auto initial = circuit.initial_conditions.begin();
  const auto initial_text = [&](Kind kind, int64_t i) -> std::string {
    if (initial == circuit.initial_conditions.end() || initial->kind != kind || initial->element != i) return "";
    return fmt::format(" ic={}", (initial++)->value);
  };
  for (const Kind kind : kEveryKind) {
    const Elements& e = circuit.elements(kind);
    const bool are_sources = kind == kVoltageSource || kind == kCurrentSource;
    for (int64_t i = 0; i < e.size(); ++i) {
      const int32_t shape = are_sources ? static_cast<const Sources&>(e).waveform[i] : -1;
      file.print("{} {} {} {}{}{}\n", card_name(circuit, kind, i), circuit.node_name(e.a[i]), circuit.node_name(e.b[i]),
                 e.value[i], shape >= 0 ? waveform_text(circuit.waveforms[shape]) : std::string(),
                 initial_text(kind, i));
    }
  }
  if (circuit.tran.stop > 0)
    file.print("{}\n", tran_text(circuit.tran));
  else
    file.print(".op\n");
  for (const std::string& node : circuit.print_nodes) file.print(".print tran v({})\n", node);
  file.print(".end\n");
  file.commit();
}

}  // namespace gridiron
