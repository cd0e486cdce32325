// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "netlist/names/lower_case.hpp"
#include "netlist/values/expression.hpp"

namespace gridiron {
namespace {

struct Key {
  std::string_view name;
  double ElementSettings::*field;  ///< null if the setting has no effect on an operating point
  Quantity quantity = Quantity::pure;
  std::string_view cards = "rcl";
};
constexpr Key kKeys[] = {
    {"tc", &ElementSettings::tc1},
    {"tc1", &ElementSettings::tc1},
    {"tc2", &ElementSettings::tc2},
    {"tce", &ElementSettings::tce, Quantity::pure, "r"},
    {"temp", &ElementSettings::temp, Quantity::temperature},
    {"dtemp", &ElementSettings::dtemp, Quantity::temperature},
    {"m", &ElementSettings::m},
    {"scale", &ElementSettings::scale},
    {"l", &ElementSettings::l, Quantity::length, "r"},
    {"w", &ElementSettings::w, Quantity::length, "r"},
    {"ac", nullptr, Quantity::resistance, "r"},
    {"noisy", nullptr, Quantity::pure, "r"},
    {"ic", &ElementSettings::ic, Quantity::voltage, "c"},
    {"ic", &ElementSettings::ic, Quantity::current, "l"},
    {"rser", &ElementSettings::rser, Quantity::resistance, "cl"},
    {"rpar", &ElementSettings::rpar, Quantity::resistance, "cl"},
    {"cpar", &ElementSettings::cpar, Quantity::capacitance, "cl"},
    {"l", nullptr, Quantity::length, "c"},
    {"w", nullptr, Quantity::length, "c"},
    {"nt", nullptr, Quantity::pure, "l"},
    {"lser", nullptr, Quantity::inductance, "c"},  // of 0
    {"rlshunt", nullptr, Quantity::resistance, "c"},
    // What LTspice writes of a part that is bought: texts.
    {"tol", nullptr, Quantity::anything},
    {"mfg", nullptr, Quantity::anything},
    {"pn", nullptr, Quantity::anything},
    {"type", nullptr, Quantity::anything},
    {"pwr", nullptr, Quantity::anything, "r"},
    {"v", nullptr, Quantity::anything, "c"},
    {"irms", nullptr, Quantity::anything, "cl"},
    {"ipk", nullptr, Quantity::anything, "l"},
};
constexpr std::string_view kLetters = "rcl";  // by Kind; R=, C= and L= give the value

const Key* find_key(Kind kind, ast::Text key) {
  const auto found = std::find_if(std::begin(kKeys), std::end(kKeys), [&](const Key& k) {
    return k.cards.find(kLetters[kind]) != k.cards.npos && same_name(k.name, key);
  });
  return found == std::end(kKeys) ? nullptr : found;
}

std::string known_keys(Kind kind) {
  std::string names(1, kLetters[kind]);
  for (const Key& k : kKeys)
    if (k.cards.find(kLetters[kind]) != k.cards.npos) names += fmt::format(" {}", k.name);
  return names;
}

[[noreturn]] void fail(ast::Text where, std::string message) { throw CardError{where.data(), std::move(message)}; }

void expect_numbers(const ast::Setting& setting, size_t least, size_t most) {
  const size_t n = setting.values.size();
  if (n < least || n > most)
    fail(setting.key, fmt::format("'{}' takes {} number{}, got {}", setting.key,
                                  least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
                                  most == 1 ? "" : "s", n));
}

void require_each_once(const std::vector<ast::Setting>& settings) {
  constexpr size_t kFew = 16;
  std::set<std::string> keys;
  if (settings.size() > kFew)
    for (const ast::Setting& setting : settings)
      if (!keys.insert(lower(setting.key)).second)
        fail(setting.key, fmt::format("a second {}; remove one", setting.key));
  for (auto later = settings.begin(); keys.empty() && later != settings.end(); ++later)
    if (std::any_of(settings.begin(), later, [&](const ast::Setting& s) { return same_name(s.key, later->key); }))
      fail(later->key, fmt::format("a second {}; remove one", later->key));
}

/// LTspice's, of which it is not certain how they are connected.
void refuse_parasitics(Kind kind, const std::vector<ast::Setting>& settings) {
  const auto find = [&](std::string_view name) {
    const auto found = std::ranges::find_if(settings, [&](const ast::Setting& s) { return same_name(s.key, name); });
    return found == settings.end() ? nullptr : &*found;
  };
  if (kind != kCapacitor) return;
  const auto is_zero = [](const ast::Value& v) { return v.number == 0 && v.expression.empty(); };
  if (const ast::Setting* const s = find("lser"); s && !std::ranges::all_of(s->values, is_zero))
    fail(s->key, fmt::format("{}= other than 0 is not supported; write the inductance as a card, in series with the "
                             "capacitor",
                             s->key));
  if (const ast::Setting* const s = find("rpar"); s && find("rser"))
    fail(s->key, fmt::format("{}= together with Rser= is not supported; write one of them as a card", s->key));
}

ast::Shape shape_of(ast::Text key) {
  if (same_name(key, "pulse")) return ast::Shape::pulse;
  if (same_name(key, "pwl")) return ast::Shape::pwl;
  return same_name(key, "exp") ? ast::Shape::exp : ast::Shape::sin;
}

constexpr std::string_view kPwlTimes[] = {"r", "td", "pwl_period", "pwl_delay"};
bool is_file_of_pwl(ast::Text key) { return same_name(key, "pwlfile") || same_name(key, "file"); }
bool is_option_of_pwl(ast::Text key) {
  return is_file_of_pwl(key) ||
         std::ranges::any_of(kPwlTimes, [key](std::string_view option) { return same_name(key, option); });
}

bool is_same_number(const ast::Value& a, const ast::Value& b) {
  if (!a.expression.empty() || !b.expression.empty()) return a.expression == b.expression;
  try {
    return with_any_unit(a.number, a.letters) == with_any_unit(b.number, b.letters);
  } catch (const UnitError&) {
    return false;
  }
}

void require_points_or_file(const SourceForm& form) {
  const ast::Setting* const file = form.pwl_file();
  if (!file) return;
  if (!form.arguments.empty()) fail(file->key, "this PWL has points on the card and a file; remove one");
  const auto is_other = [&](const ast::Setting& s) { return &s != file && is_file_of_pwl(s.key); };
  if (std::ranges::any_of(form.options, is_other)) fail(file->key, "this PWL has two files; remove one");
}

}  // namespace

const ast::Setting* SourceForm::pwl_option(std::string_view key) const {
  const auto found = std::ranges::find_if(options, [key](const ast::Setting& s) { return same_name(s.key, key); });
  return found == options.end() ? nullptr : &*found;
}

const ast::Setting* SourceForm::pwl_file() const {
  const ast::Setting* const file = pwl_option("pwlfile");
  return file ? file : pwl_option("file");
}

Setting find_setting(Kind kind, ast::Text key) {
  const Key* found = find_key(kind, key);
  return found ? Setting{found->field, found->quantity} : Setting{};
}

Deferred read_settings(Kind kind, ast::Passive& card) {
  Deferred more;
  const auto set_value = [&](ast::Text where, const ast::Value& value) {
    if (card.value) fail(where, "a second value; remove one");
    card.value = value;
  };
  if (card.model) {
    const auto& [name, second, value] = *card.model;
    // Of two words the text from the one to the other: what each of them is depends on the deck.
    more.set_model(second.empty() ? name
                                  : ast::Text(name.data(), static_cast<size_t>(&second.back() + 1 - name.data())));
    if (card.model->value) set_value(more.model(), *card.model->value);
  }
  require_each_once(card.settings);
  refuse_parasitics(kind, card.settings);
  for (ast::Setting& setting : card.settings) {
    const bool is_value = setting.key.size() == 1 && (setting.key[0] | 0x20) == kLetters[kind];
    const Key* key = find_key(kind, setting.key);
    if (!is_value && !key)
      fail(setting.key, fmt::format("expected the end of the card or one of '{}', each with '=', got '{}='",
                                    known_keys(kind), setting.key));
    if (key && key->quantity == Quantity::anything) continue;
    expect_numbers(setting, 1, same_name(setting.key, "tc") ? 2 : 1);
    if (is_value)
      set_value(setting.key, setting.values[0]);
    else if (key->field)
      more.add(std::move(setting));
  }
  if (kind == kInductor && card.value && !more.model().empty())
    fail(more.model(),
         fmt::format("expected a number or {{expression}}, got '{}'; only resistors may have a model, and "
                     "they and capacitors a third node",
                     more.model()));
  return more;
}

SourceForm read_form(Kind kind, ast::Source& card) {
  SourceForm form;
  require_each_once(card.settings);
  for (ast::Setting& setting : card.settings) {
    if (same_name(setting.key, "ac")) {
      expect_numbers(setting, 0, 2);
    } else if (const bool is_static = same_name(setting.key, "static_value");
               is_static || same_name(setting.key, "dc")) {
      expect_numbers(setting, 1, 1);
      // Tiles of decks have both.
      const bool is_again = is_static && card.dc && is_same_number(*card.dc, setting.values[0]);
      if (card.dc && !is_again) fail(setting.key, "a second DC value; remove one");
      card.dc = setting.values[0];
    } else if (same_name(setting.key, "m")) {
      expect_numbers(setting, 1, 1);
      if (kind == kVoltageSource) fail(setting.key, "a voltage source has no M; remove it");
      form.multiplier = setting.values[0];
    } else if (same_name(setting.key, "rser") || same_name(setting.key, "cpar")) {
      expect_numbers(setting, 1, 1);
      if (kind == kCurrentSource) fail(setting.key, "a current source has no Rser and Cpar; write them as cards");
      form.parasitics.push_back(std::move(setting));
    } else if (same_name(setting.key, "load")) {
      expect_numbers(setting, 0, 0);
      if (kind == kVoltageSource) fail(setting.key, "a voltage source is no load; remove the word");
    } else if (same_name(setting.key, "rpar")) {
      fail(setting.key, "a source has no Rpar; write the resistor as a card");
    } else if (is_option_of_pwl(setting.key)) {
      form.options.push_back(std::move(setting));
    } else {
      if (form.shape != ast::Shape::none) fail(setting.key, "a second waveform; remove one");
      form.shape = shape_of(setting.key);
      form.arguments = std::move(setting.values);
    }
  }
  require_points_or_file(form);
  return form;
}

bool is_setting_of_instances(ast::Text name) {
  return same_name(name, "m") || same_name(name, "temp") || same_name(name, "dtemp");
}

}  // namespace gridiron
