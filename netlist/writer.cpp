// SPDX-License-Identifier: Apache-2.0
#include "netlist/writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "netlist/deck/deck_file.hpp"

namespace gridiron {
namespace {

/// Arguments of a waveform up to the first omitted one.
std::string waveform_text(const Waveform& waveform) {
  struct Numbers {
    std::pair<const char*, std::vector<double>> operator()(const Pulse& p) const {
      return {"PULSE", {p.initial, p.pulsed, p.delay, p.rise, p.fall, p.width, p.period, p.pulses}};
    }
    std::pair<const char*, std::vector<double>> operator()(const Sin& s) const {
      return {"SIN", {s.offset, s.amplitude, s.frequency, s.delay, s.damping, s.phase}};
    }
    std::pair<const char*, std::vector<double>> operator()(const Exp& e) const {
      return {"EXP", {e.initial, e.pulsed, e.rise_delay, e.rise_tau, e.fall_delay, e.fall_tau}};
    }
    std::pair<const char*, std::vector<double>> operator()(const Pwl& w) const {
      std::vector<double> numbers;
      for (const auto& [t, v] : w.points) numbers.insert(numbers.end(), {t, v});
      return {"PWL", numbers};
    }
  };
  const auto [name, numbers] = std::visit(Numbers{}, waveform);
  std::string text = fmt::format(" {}(", name);
  const char* separator = "";
  for (const double v : numbers) {
    if (std::isnan(v)) break;
    fmt::format_to(std::back_inserter(text), "{}{}", separator, v);
    separator = " ";
  }
  return text + ")";
}

std::string tran_text(const TranCard& tran) {
  std::string text = fmt::format(".tran {} {}", tran.step, tran.stop);
  if (tran.start > 0 || tran.largest > 0) text += fmt::format(" {}", tran.start);
  if (tran.largest > 0) text += fmt::format(" {}", tran.largest);
  return text + (tran.uic ? " uic" : "");
}

}  // namespace

std::string card_name(const Circuit& circuit, Kind kind, std::int64_t index) {
  constexpr char kLetters[] = {'r', 'c', 'l', 'v', 'i'};
  const std::string name = circuit.element_name(kind, index);
  return (name[0] | 0x20) == kLetters[kind] ? name : fmt::format("{}.{}", kLetters[kind], name);
}

void write_netlist(const Circuit& circuit, const std::filesystem::path& path) {
  DeckFile file(path);
  std::string line;
  const auto put = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    line.clear();
    fmt::format_to(std::back_inserter(line), format, std::forward<Args>(args)...);
    file.write(line);
  };
  put("* {}\n", circuit.title.empty() ? "flat netlist" : circuit.title);
  for (const NetCard& c : circuit.net_cards) put("* Netlist for {} on default\n", c.net);
  if (circuit.dbu_card > 0) put("* dbu: {}\n", circuit.dbu_card);
  for (const LayerCard& c : circuit.layer_cards) put("* layer: {},{} net: {}\n", c.layer, c.net, c.number);
  for (const NominalCard& c : circuit.nominal_cards) put("* nominal: {} {}\n", c.net, c.volts);
  auto initial = circuit.initial_conditions.begin();
  const auto initial_text = [&](Kind kind, std::int64_t i) -> std::string {
    if (initial == circuit.initial_conditions.end() || initial->kind != kind || initial->element != i) return "";
    return fmt::format(" ic={}", (initial++)->value);
  };
  for (int k = 0; k < kKinds; ++k) {
    const Kind kind = static_cast<Kind>(k);
    const Elements& e = circuit.elements(kind);
    const Sources* sources = kind == kVoltageSource   ? &circuit.voltage_sources
                             : kind == kCurrentSource ? &circuit.current_sources
                                                      : nullptr;
    for (std::int64_t i = 0; i < e.size(); ++i) {
      const bool shaped = sources && sources->waveform[i] >= 0;
      put("{} {} {} {}{}{}\n", card_name(circuit, kind, i), circuit.node_name(e.a[i]), circuit.node_name(e.b[i]),
          e.value[i], shaped ? waveform_text(circuit.waveforms[sources->waveform[i]]) : std::string(),
          initial_text(kind, i));
    }
  }
  if (circuit.tran.step > 0)
    put("{}\n", tran_text(circuit.tran));
  else
    put(".op\n");
  for (const std::string& node : circuit.print_nodes) put(".print tran v({})\n", node);
  put(".end\n");
  file.commit();
}

}  // namespace gridiron
