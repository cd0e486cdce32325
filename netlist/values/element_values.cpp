// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/element_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "netlist/grammar/card.hpp"
#include "netlist/names/lower_case.hpp"
#include "netlist/values/settings.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

struct ModelKey {
  std::string_view name;
  double ResistorModel::*field;  ///< null if the parameter has no effect on an operating point
  Quantity quantity = Quantity::pure;
};
constexpr ModelKey kModelKeys[] = {
    {"tc1", &ResistorModel::tc1},
    {"tc2", &ResistorModel::tc2},
    {"tce", &ResistorModel::tce},
    {"tnom", &ResistorModel::tnom, Quantity::temperature},
    {"r", &ResistorModel::r, Quantity::resistance},
    {"res", &ResistorModel::r, Quantity::resistance},
    {"rsh", &ResistorModel::rsh, Quantity::resistance},
    {"l", &ResistorModel::l, Quantity::length},
    {"defw", &ResistorModel::w, Quantity::length},
    {"narrow", &ResistorModel::narrow, Quantity::length},
    {"short", &ResistorModel::shortening, Quantity::length},
    {"kf", nullptr},
    {"af", nullptr},
    {"wf", nullptr},
    {"lf", nullptr},
    {"ef", nullptr},
};

/// What temperature makes of a value; the card's coefficients override the model's.
double temperature_factor(const ElementSettings& card, const ResistorModel& model, double circuit, double nominal) {
  const auto either = [](double first, double second) { return std::isnan(first) ? second : first; };
  const double difference = either(card.temp, circuit + card.dtemp) - either(model.tnom, nominal);
  const double tce = either(card.tce, model.tce);
  if (!std::isnan(tce)) return std::pow(1.01, tce * difference);
  return 1 + difference * (either(card.tc1, model.tc1) + difference * either(card.tc2, model.tc2));
}

/// Resistance by sheet resistance and size, or the model's own.
double model_resistance(const ElementSettings& card, const ResistorModel& model) {
  if (model.rsh == 0) return model.r;
  const double length = (std::isnan(card.l) ? model.l : card.l) - 2 * model.shortening;
  const double width = (std::isnan(card.w) ? model.w : card.w) - 2 * model.narrow;
  return model.rsh * length / width;
}

/// The first and the last of the words that stand where a card may have a model: `sub rpoly`, `rpoly rval` or one word.
std::pair<ast::Text, ast::Text> first_and_last(ast::Text words) {
  constexpr std::string_view kBetween = " \t\r\n+,()";
  const size_t end = std::min(words.find_first_of(kBetween), words.size());
  const size_t before = words.find_last_of(kBetween);
  return {words.substr(0, end), before == ast::Text::npos ? words : words.substr(before + 1)};
}

}  // namespace

double in_parallel(Kind kind, double value, double count) {
  switch (kind) {
    case kResistor:
    case kInductor:
      return value / count;
    case kCapacitor:
    case kCurrentSource:
      return value * count;
    default:
      return value;
  }
}

bool Parasitics::any() const { return !std::isnan(rser) || !std::isnan(rpar) || !std::isnan(cpar); }

void require_possible(const Parasitics& values, const File& file, uint64_t offset) {
  const auto [rser, rpar, cpar] = values;
  if (rser < 0 || rpar <= 0 || cpar < 0)
    file.fail(offset, fmt::format("{} is {:g}; it must be positive",
                                  rser < 0    ? "Rser"
                                  : rpar <= 0 ? "Rpar"
                                              : "Cpar",
                                  rser < 0    ? rser
                                  : rpar <= 0 ? rpar
                                              : cpar));
}

ElementValues::Value ElementValues::evaluate(Kind kind, const Deferred& card, double number, const File& file,
                                             uint64_t offset) {
  if (!card.expression().empty())
    number = parameters_.evaluate({0, card.expression(), {}}, quantity_of(kind), file, offset);
  const auto [first, last] = first_and_last(card.model());
  const bool is_parameter = std::isnan(number) && names_parameter(last, file, offset);
  if (is_parameter) number = parameters_.evaluate({0, last, {}}, quantity_of(kind), file, offset);
  const ast::Text model_name = !is_parameter ? last : first.data() != last.data() ? first : ast::Text();
  const bool has_model = !model_name.empty();
  if (!has_model && card.settings().empty()) return {number};
  ElementSettings settings;
  for (const ast::Setting& s : card.settings())
    for (size_t i = 0; i < s.values.size(); ++i) {
      const Setting setting = i == 0 ? find_setting(kind, s.key) : Setting{&ElementSettings::tc2, Quantity::pure};
      settings.*setting.field = parameters_.evaluate(s.values[i], setting.quantity, file, offset);
    }

  static const ResistorModel kNone;
  const bool has_none = !has_model || is_no_model(kind, model_name, !std::isnan(number), file, offset);
  const ResistorModel& of_model = has_none ? kNone : model(model_name, file, offset);
  if (std::isnan(number))
    number = model_resistance(settings, of_model);
  else
    number *= model_factor(of_model, model_name, file, offset);
  if (std::isnan(number))
    file.fail(model_name, offset, fmt::format("expected a number: model '{}' has neither r nor rsh", model_name));
  if (!(settings.m > 0)) file.fail(offset, fmt::format("M is {:g}; it must be positive", settings.m));

  const double factor = temperature_factor(settings, of_model, temperatures_.circuit, temperatures_.nominal);
  const double value = in_parallel(kind, number * settings.scale * factor, settings.m);
  const bool keeps_sign = number < 0 ? value < 0 : value > 0;
  if (number != 0 && !(keeps_sign && std::isfinite(value)))
    file.fail(offset, fmt::format("the value becomes {:g} by temperature and scale, it must stay {}; check tc1, tc2, "
                                  "scale and the temperature",
                                  value, number < 0 ? "negative" : "positive"));
  const Parasitics parasitics{settings.rser, settings.rpar, settings.cpar};
  if (!parasitics.any()) return {value, settings.ic, {}, settings.m};
  require_possible(parasitics, file, offset);
  return {value,
          settings.ic,
          {settings.rser / settings.m, settings.rpar / settings.m, settings.cpar * settings.m},
          settings.m};
}

/// PSpice multiplies a value on the card by the model's r; others take that only where the card has none.
double ElementValues::model_factor(const ResistorModel& of_model, ast::Text name, const File& file, uint64_t offset) {
  if (std::isnan(of_model.r) || of_model.r == 1) return 1;
  if (deck_.language == Dialect::pspice) return of_model.r;
  const auto is_told = [](const ReadFinding& f) { return f.code == "model-factor"; };
  if (deck_.language == Dialect::automatic && std::ranges::none_of(deck_.findings, is_told))
    deck_.findings.push_back({true, "model-factor",
                              fmt::format("the value of this card counts and r={:g} of its model '{}' does not, by "
                                          "which PSpice multiplies; say whose deck this is with {}",
                                          of_model.r, name, field("dialect")),
                              file.text->describe(offset)});
  return 1;
}

/// A word in the place of a value names a model or a parameter.
bool ElementValues::names_parameter(ast::Text word, const File& file, uint64_t offset) {
  if (word.empty() || !parameters_.knows(word)) return false;
  if (scope_.find_model(lower(word)).second)
    file.fail(
        word, offset,
        fmt::format("'{}' is a model and a parameter; rename one, or write {{{}}} for the parameter", word, word));
  return true;
}

bool ElementValues::is_no_model(Kind kind, ast::Text name, bool has_value, const File& file, uint64_t offset) {
  const bool is_model = scope_.find_model(lower(name)).second != nullptr;
  if (kind != kResistor && (is_model || !has_value))
    file.fail(name, offset,
              fmt::format("expected a number or {{expression}}, got '{}'; models of {} are not read", name,
                          kind == kCapacitor ? "capacitors" : "inductors"));
  if (is_model || !has_value) return false;
  NotModels& noted =
      scope_.sees_node(name) || deck_.globals.contains(lower(name)) ? deck_.third_nodes : deck_.no_models;
  ++noted.try_emplace(lower(name), NameUse{&file, std::string(name), offset}).first->second.count;
  return true;
}

const ResistorModel& ElementValues::model(ast::Text name, const File& file, uint64_t offset) {
  const auto [owner, card] = scope_.find_model(lower(name));
  if (!card)
    file.fail(
        name, offset,
        fmt::format("expected a number, {{expression}} or the name of a model or parameter; there is no '.model {} R' "
                    "and no '.param {}'",
                    name, name));
  const auto [it, is_new] = models_.try_emplace(card);
  if (!is_new) return it->second;
  const File& home = deck_.files[card->where.file];
  if (!grammar::is_resistor_model(card->card))
    file.fail(name, offset, fmt::format("model '{}' is of type {}, expected R", name, card->card.type));
  Parameters& parameters = parameters_.of(*owner);
  for (const ast::Assignment& a : card->card.parameters) {
    const auto key = std::find_if(std::begin(kModelKeys), std::end(kModelKeys),
                                  [&a](const ModelKey& k) { return same_name(k.name, a.name); });
    if (key == std::end(kModelKeys))
      home.fail(a.name, card->where.offset,
                fmt::format("unknown parameter '{}' of a resistor model; known are tc1 tc2 tce tnom r res rsh l defw "
                            "narrow short kf af wf lf ef",
                            a.name));
    const double value = parameters.evaluate(a.value, key->quantity, home, card->where.offset);
    if (key->field) it->second.*(key->field) = value;
  }
  return it->second;
}

void put_in_parallel(Circuit& circuit, Kind kind, int64_t first, int64_t last, double count) {
  std::vector<double>& values = circuit.elements(kind).value;
  for (int64_t i = first; i < last; ++i) values[i] = in_parallel(kind, values[i], count);
  if (kind != kResistor) return;
  const auto own = std::ranges::lower_bound(circuit.copies, first, {}, &Circuit::Copies::resistor);
  const std::vector<Circuit::Copies> of_cards(own, circuit.copies.end());
  circuit.copies.erase(own, circuit.copies.end());
  auto of_card = of_cards.begin();
  for (int64_t i = first; i < last; ++i) {
    const bool has_own = of_card != of_cards.end() && of_card->resistor == i;
    if (const double copies = has_own ? count * of_card++->count : count; copies != 1)
      circuit.copies.push_back({i, copies});
  }
}

}  // namespace gridiron
