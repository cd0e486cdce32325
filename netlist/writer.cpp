// SPDX-License-Identifier: Apache-2.0
#include "netlist/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "netlist/edit/pad_cards.hpp"
#include "netlist/names/sink_comment.hpp"

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

/// Writes the cards of a flat circuit.
class FlatDeck {
 public:
  FlatDeck(const Circuit& circuit, const OutputPath& path)
      : circuit_(circuit), initial_(circuit.initial_conditions.begin()), file_(path) {}

  void write(std::span<const ResistorFactor> widened, std::span<const NewPad> pads) {
    file_.print("* {}\n", circuit_.title.empty() ? "flat netlist" : circuit_.title);
    write_annotations(circuit_, file_);
    write_resistors(widened);
    for (const Kind kind : {kCapacitor, kInductor})
      for (int64_t i = 0; i < circuit_.elements(kind).size(); ++i)
        write_card(kind, i, circuit_.elements(kind).value[i]);
    write_voltage_sources();
    for (int64_t i = 0; i < circuit_.current_sources.size(); ++i) {
      if (const std::string sink = sink_name(circuit_, i).text(); !sink.empty()) file_.print("* Sink for {}\n", sink);
      write_source(kCurrentSource, i);
    }
    file_.write(pad_cards(circuit_, pads));
    file_.print("{}\n", circuit_.tran.stop > 0 ? tran_card(circuit_.tran) : ".op");
    for (const std::string& node : circuit_.print_nodes) file_.print(".print tran v({})\n", node);
    file_.print(".end\n");
    file_.commit();
  }

 private:
  void write_resistors(std::span<const ResistorFactor> widened) {
    std::vector<ResistorFactor> sorted(widened.begin(), widened.end());
    std::ranges::sort(sorted, {}, &ResistorFactor::resistor);
    auto next = sorted.begin();
    for (int64_t i = 0; i < circuit_.resistors.size(); ++i) {
      const bool is_widened = next != sorted.end() && next->resistor == i;
      write_card(kResistor, i, is_widened ? (next++)->value(circuit_) : circuit_.resistors.value[i]);
    }
  }

  /// Each behind the comment that tells which net it feeds, where that is another one than before. Comments of no
  /// source come first.
  void write_voltage_sources() {
    const Sources& sources = circuit_.voltage_sources;
    std::vector<const NetCard*> card_of(sources.size());
    for (int64_t i = 0; i < sources.size(); ++i) card_of[i] = net_card_of(sources.origin[i]);
    const std::set<const NetCard*> used(card_of.begin(), card_of.end());
    for (const NetCard& card : circuit_.net_cards)
      if (!used.contains(&card)) write_net_card(card);
    const NetCard* told = nullptr;
    for (int64_t i = 0; i < sources.size(); ++i) {
      if (card_of[i] && card_of[i] != told) write_net_card(*(told = card_of[i]));
      write_source(kVoltageSource, i);
    }
  }

  /// The last one before a place in its file, null if there is none.
  const NetCard* net_card_of(Origin place) const {
    const NetCard* last = nullptr;
    for (const NetCard& card : circuit_.net_cards)
      if (card.origin.file == place.file && card.origin.offset < place.offset) last = &card;
    return last;
  }

  void write_net_card(const NetCard& card) { file_.print("* Netlist for {} on default\n", card.net); }

  void write_source(Kind kind, int64_t i) {
    const auto& sources = static_cast<const Sources&>(circuit_.elements(kind));
    write_card(kind, i, sources.value[i], waveform_of(circuit_, kind, i));
  }

  void write_card(Kind kind, int64_t i, double value, const std::string& waveform = {}) {
    const Elements& e = circuit_.elements(kind);
    file_.print("{} {} {} {}{}{}\n", card_name(circuit_, kind, i), circuit_.node_name(e.a[i]),
                circuit_.node_name(e.b[i]), value, waveform, initial_text(kind, i));
  }

  std::string initial_text(Kind kind, int64_t i) {
    if (initial_ == circuit_.initial_conditions.end() || initial_->kind != kind || initial_->element != i) return "";
    return fmt::format(" ic={}", (initial_++)->value);
  }

  const Circuit& circuit_;
  std::vector<InitialCondition>::const_iterator initial_;
  DeckFile file_;
};

}  // namespace

std::string tran_card(const TranCard& tran) {
  std::string text = fmt::format(".tran {} {}", tran.step, tran.stop);
  if (tran.start > 0 || tran.largest > 0) text += fmt::format(" {}", tran.start);
  if (tran.largest > 0) text += fmt::format(" {}", tran.largest);
  return text + (tran.uic ? " uic" : "");
}

std::string waveform_of(const Circuit& circuit, Kind kind, int64_t source) {
  const int32_t shape = static_cast<const Sources&>(circuit.elements(kind)).waveform[source];
  return shape >= 0 ? waveform_text(circuit.waveforms[shape]) : "";
}

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

void write_netlist(const Circuit& circuit, const OutputPath& path, std::span<const ResistorFactor> widened,
                   std::span<const NewPad> pads) {
  FlatDeck(circuit, path).write(widened, pads);
}

}  // namespace gridiron
