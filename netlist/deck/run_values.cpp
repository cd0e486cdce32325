// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/run_values.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "netlist/deck/tran_card.hpp"

namespace gridiron {

Temperatures evaluate_temperatures(const Deck& deck, Parameters& parameters) {
  const auto value = [&](TemperatureCard::Which which, double otherwise) {
    const auto& card = deck.temperatures[which];
    if (!card) return otherwise;
    const File& file = deck.files[card->second.file];
    const double celsius = parameters.evaluate(card->first, Quantity::temperature, file, card->second.offset);
    if (celsius < -273.15)
      file.fail(card->second.offset, fmt::format("a temperature of {:g} °C is below absolute zero", celsius));
    return celsius;
  };
  const Temperatures usual = deck.language == Dialect::hspice ? Temperatures{25, 25} : Temperatures();
  return {value(TemperatureCard::kTemp, value(TemperatureCard::kOptionTemp, usual.circuit)),
          value(TemperatureCard::kOptionTnom, usual.nominal)};
}

TranCard evaluate_tran(const Deck& deck, Parameters& parameters) {
  const auto& [card, origin] = deck.tran.back();
  const File& file = deck.files[origin.file];
  std::vector<double> times;
  for (const ast::Value& time : card.times)
    times.push_back(parameters.evaluate(time, Quantity::time, file, origin.offset));
  if (const std::string fault = tran_fault(times); !fault.empty()) file.fail(origin.offset, fault);
  const auto [step, stop, start, largest] = tran_times(times);
  return {step, stop, start, largest, card.uic};
}

}  // namespace gridiron
