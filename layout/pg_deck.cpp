// SPDX-License-Identifier: Apache-2.0
#include "layout/pg_deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "netlist/deck/deck_file.hpp"
#include "netlist/names/sink_comment.hpp"
#include "support/parallel.hpp"

namespace gridiron::layout {
namespace {

class PgDeck {
 public:
  PgDeck(const Circuit& circuit, const Chip& chip, int digits, const std::filesystem::path& path)
      : circuit_(circuit), chip_(chip), digits_(digits), file_(path) {}

  void write(const NetElements& net, bool is_first) {
    std::string text = fmt::format("* Netlist for {} on default\n", chip_.nets[net.net].name);
    if (is_first) fmt::format_to(std::back_inserter(text), "* dbu: {}\n", circuit_.dbu_card);
    text += "\n* Resistive network\n";
    file_.write(text);
    write_resistors(net);
    file_.write("\n* Sinks\n");
    write_sinks(net);
    file_.write("\n* Sources\n");
    write_sources(net);
    file_.write("\n");
  }

  void finish() {
    file_.write("* Footer\n.OPTION NUMDGT=6\n.OP\n.SAVE TYPE=IC FILE=compare.ic\n.END\n\n");
    file_.commit();
  }

 private:
  bool is_openroad() const { return digits_ <= kOpenRoadDigits; }

  /// Lines [first, last), made by threads and written in order.
  template <class Line>
  void write_lines(int64_t first, int64_t last, Line&& line) {
    constexpr int64_t kGrain = 1 << 13;
    parallel_in_order<std::string>((last - first + kGrain - 1) / kGrain,
                                   [&](int64_t range, std::string& text) {
                                     text.clear();
                                     const int64_t begin = first + range * kGrain;
                                     for (int64_t i = begin; i < std::min(last, begin + kGrain); ++i) line(i, text);
                                   },
                                   [&](const std::string& text) { file_.write(text); });
  }

  void write_resistors(const NetElements& net) {
    const Elements& r = circuit_.resistors;
    const int decimals = digits_ - 1;
    write_lines(net.first_resistor, net.last_resistor, [&](int64_t i, std::string& text) {
      fmt::format_to(std::back_inserter(text), "{} {} {} R={:.{}e}\n", circuit_.card_name(kResistor, i).view(),
                     circuit_.node_name(r.a[i]), circuit_.node_name(r.b[i]), r.value[i], decimals);
    });
  }

  void write_sinks(const NetElements& net) {
    constexpr int kOpenRoadDecimals = 3;
    const Sources& sinks = circuit_.current_sources;
    std::vector<int64_t> drawing;
    for (int64_t i = net.first_sink; i < net.last_sink; ++i)
      if (std::abs(sinks.value[i]) >= kLeastCurrent) drawing.push_back(i);
    const int decimals = is_openroad() ? kOpenRoadDecimals : digits_ - 1;
    write_lines(0, std::ssize(drawing), [&](int64_t k, std::string& text) {
      const int64_t i = drawing[k];
      fmt::format_to(std::back_inserter(text), "* Sink for {}\n{} {} 0 DC {:.{}e}\n", sink_name(circuit_, i).text(),
                     circuit_.card_name(kCurrentSource, i).view(), circuit_.node_name(sinks.a[i]), sinks.value[i],
                     decimals);
    });
  }

  void write_sources(const NetElements& net) {
    const Sources& sources = circuit_.voltage_sources;
    write_lines(net.first_source, net.last_source, [&](int64_t i, std::string& text) {
      const std::string volts = is_openroad() ? fmt::format("{:.6f}", sources.value[i])
                                              : fmt::format("{:.{}e}", sources.value[i], digits_ - 1);
      fmt::format_to(std::back_inserter(text), "{} {} 0 DC {}\n", circuit_.card_name(kVoltageSource, i).view(),
                     circuit_.node_name(sources.a[i]), volts);
    });
  }

  const Circuit& circuit_;
  const Chip& chip_;
  int digits_;
  DeckFile file_;
};

}  // namespace

void write_pg_deck(const Circuit& circuit, const Chip& chip, std::span<const NetElements> nets, int digits,
                   const std::filesystem::path& path) {
  PgDeck deck(circuit, chip, digits, path);
  for (size_t i = 0; i < nets.size(); ++i) deck.write(nets[i], i == 0);
  deck.finish();
}

}  // namespace gridiron::layout
