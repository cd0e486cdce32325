// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "tests/netlist/dialects/random_deck.hpp"

namespace gridiron::test {
namespace {

const std::vector<std::string> kNoUnit{""};

std::vector<std::string> units_of(const Language& language, char quantity) {
  if (language.dialect == Dialect::cdl) return kNoUnit;
  switch (quantity) {
    case 'r':
      return {"", "", "ohm", "Ohms"};
    case 'c':
      return {"", "", "F"};
    case 'l':
      return {"", "", "H", "henry"};
    case 'v':
      return {"", "", "V", "volts"};
    default:
      if (language.dialect == Dialect::hspice) return kNoUnit;  // atto, if the dialect is given
      return {"", "", "A", "amps"};
  }
}

std::function<long double(const Environment&)> one() {
  return [](const Environment&) { return 1.0L; };
}

}  // namespace

std::string RandomDeck::any_node(Scope& scope) {
  if (random_.chance(0.15)) return random_.pick(std::vector<std::string>{"0", "gnd"});
  if (has_global_ && random_.chance(0.1)) return "glob!";
  return random_.pick(scope.nodes);
}

std::string RandomDeck::new_node(Scope& scope) {
  scope.nodes.push_back(fmt::format("n{}", scope.nodes.size() + 1));
  return scope.nodes.back();
}

std::string RandomDeck::card_name(Scope& scope, const std::string& letter) {
  return letter + fmt::format("{}{}", random_.chance(0.2) ? "_" : "", ++scope.count);
}

void RandomDeck::line(Scope& scope, const std::vector<std::string>& words, const std::string& tail) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i == 0) {
      text = words[i];
      continue;
    }
    const int way = random_.integer(0, 40);
    const bool may_break = i > 2 && language_.dialect != Dialect::dspf;
    if (may_break && way == 0)
      text += "\n+ ";
    else if (may_break && way == 1)
      text += "\n* between\n\n+";
    else if (may_break && way == 2)
      text += random_.pick(language_.tails) + "\n + ";
    else
      text += way == 3 ? "\t" : way == 4 ? "  " : " ";
    text += words[i];
  }
  scope.lines.push_back(text + tail);
}

RandomDeck::Settings RandomDeck::settings(Scope& scope) {
  Settings out{"", one(), one()};
  if (random_.chance(0.2)) {
    const Spelled m = values_.factor(0.5, 3, scope);
    out.text += (random_.chance(0.5) ? " m=" : " M = ") + m.text;
    out.copies = m.value;
  }
  if (language_.has_temperature && random_.chance(0.15)) {
    const double tc1 = std::round(random_.uniform(1, 40)) * 1e-4;
    const double tc2 = random_.chance(0.5) ? std::round(random_.uniform(1, 40)) * 1e-7 : 0;
    const int own = random_.integer(0, 3);
    out.text += fmt::format(" tc1={}", tc1) + (tc2 > 0 ? fmt::format(" tc2={}", tc2) : "");
    if (own == 0) out.text += " temp=60";
    if (own == 1) out.text += " dtemp=12";
    const long double t = (own == 0 ? 60 : own == 1 ? degrees_ + 12 : degrees_) - nominal_;
    const long double factor = 1 + std::stold(fmt::format("{}", tc1)) * t + std::stold(fmt::format("{}", tc2)) * t * t;
    out.scale = [factor](const Environment&) { return factor; };
  }
  return out;
}

RandomDeck::Parts RandomDeck::parts(Scope& scope, bool is_source) {
  Parts out;
  if (!language_.has_parasitics || !random_.chance(0.3)) return out;
  const auto take = [&](const char* key, double size, char quantity, Spelled& into) {
    into = values_.value(size, units_of(language_, quantity), scope);
    out.text += std::string(" ") + random_.any_case(key) + "=" + into.text;
  };
  const bool in_series = random_.chance(0.7);
  if (in_series) take("rser", 0.1, 'r', out.rser);
  if (!is_source && !in_series) take("rpar", 1e5, 'r', out.rpar);
  if (random_.chance(0.3)) take("cpar", 1e-15, 'c', out.cpar);
  return out;
}

void RandomDeck::resistor(Scope& scope, const std::string& a, const std::string& b) {
  const std::string name = card_name(scope, "r");
  const Spelled v = values_.value(random_.uniform(0.1, 1e4), units_of(language_, 'r'), scope);
  const Settings s = settings(scope);
  const bool with_key = random_.chance(0.2);
  std::vector<std::string> words{random_.any_case(name), random_.any_case(a), random_.any_case(b)};
  if (language_.has_annotations && random_.chance(0.1)) words.push_back("bulk");
  const bool with_third = words.size() == 4;
  words.push_back((with_key || with_third ? random_.any_case("r") + "=" : "") + v.text);
  words.push_back(s.text);
  line(scope, words, tail());
  scope.cards.push_back([=](const Place& at, Plain& out) {
    const long double ohms = v.value(at.values) * s.scale(at.values) / s.copies(at.values) / at.copies;
    out.card('r', at, name, at.node(a), at.node(b), Plain::number(ohms));
  });
}

void RandomDeck::storage(Scope& scope, Kind kind) {
  const char letter = kind == kCapacitor ? 'c' : 'l';
  const std::string name = card_name(scope, std::string(1, letter)), a = any_node(scope), b = any_node(scope);
  if (a == b) return;
  const Spelled v = values_.value(kind == kCapacitor ? 1e-12 : 1e-9, units_of(language_, letter), scope);
  const Settings s = settings(scope);
  const Parts p = parts(scope, false);
  const std::string key = random_.chance(0.2) ? random_.any_case(std::string(1, letter)) + "=" : "";
  line(scope, {random_.any_case(name), random_.any_case(a), random_.any_case(b), key + v.text, s.text, p.text}, tail());
  scope.cards.push_back([=](const Place& at, Plain& out) {
    const long double copies = s.copies(at.values) * at.copies, scaled = v.value(at.values) * s.scale(at.values);
    const std::string from = at.node(a), to = at.node(b);
    const std::string between = at.path + name + ".rser", in_series = from == "0" ? to : from;
    out.card(letter, at, name, p.rser.value && from != "0" ? between : from, p.rser.value && from == "0" ? between : to,
             Plain::number(kind == kCapacitor ? scaled * copies : scaled / copies));
    if (p.rser.value)
      out.card('r', at, name + ".rser", in_series, between, Plain::number(p.rser.value(at.values) / copies));
    if (p.rpar.value) out.card('r', at, name + ".rpar", from, to, Plain::number(p.rpar.value(at.values) / copies));
    if (p.cpar.value) out.card('c', at, name + ".cpar", from, to, Plain::number(p.cpar.value(at.values) * copies));
  });
}

void RandomDeck::source(Scope& scope, Kind kind) {
  const bool is_current = kind == kCurrentSource;
  const char letter = is_current ? 'i' : 'v';
  const std::string name = card_name(scope, std::string(1, letter));
  const std::string a = is_current ? any_node(scope) : new_node(scope), b = is_current ? any_node(scope) : "0";
  if (a == b) return;
  const double size = is_current ? std::pow(10, random_.uniform(-6, -1)) : random_.uniform(0.5, 3);
  const std::vector<std::string> units = units_of(language_, letter);
  const bool with_dc = random_.chance(0.7), with_wave = !with_dc || random_.chance(0.3);
  Spelled dc;
  std::vector<std::string> words{random_.any_case(name), random_.any_case(a), random_.any_case(b)};
  if (with_dc) {
    dc = values_.value(size, units, scope);
    const int way = random_.integer(0, 3);
    words.push_back((way == 0 ? "DC " : way == 1 ? "dc=" : "") + dc.text);
  }
  if (random_.chance(0.2)) words.push_back(random_.any_case("ac") + " 1" + (random_.chance(0.5) ? " 90" : ""));
  std::pair<std::string, Waves::Plainly> wave;
  if (with_wave) words.push_back((wave = waves_.make(size, units, scope)).first);
  const bool multiplied = is_current && random_.chance(0.3);
  const Spelled m = values_.factor(0.5, 3, scope);
  if (multiplied) words.push_back("M=" + m.text);
  const Parts p = is_current ? Parts{} : parts(scope, true);
  words.push_back(p.text);
  line(scope, words, tail());
  scope.cards.push_back([=](const Place& at, Plain& out) {
    const long double copies = is_current ? at.copies * (multiplied ? m.value(at.values) : 1) : 1;
    const std::string from = at.node(a), between = p.rser.value ? at.path + name + ".rser" : from;
    out.card(letter, at, name, between, at.node(b),
             (dc.value ? "dc " + Plain::number(dc.value(at.values) * copies) + " " : "") +
                 (wave.second ? wave.second(at.values, copies) : ""));
    if (p.rser.value)
      out.card('r', at, name + ".rser", from, between, Plain::number(p.rser.value(at.values) / at.copies));
    if (p.cpar.value)
      out.card('c', at, name + ".cpar", from, at.node(b), Plain::number(p.cpar.value(at.values) * at.copies));
  });
}

void RandomDeck::controlled(Scope& scope) {
  const int which = random_.integer(0, 3);
  const char letter = "eghf"[which];
  const std::string name = card_name(scope, std::string(1, letter)), a = new_node(scope), b = any_node(scope);
  const std::string c = random_.pick(scope.nodes), d = random_.pick(scope.nodes);
  if (a == b || c == d) return;
  const Spelled gain = values_.factor(0.5, 3, scope);
  const std::string meter = card_name(scope, "v"), metered = new_node(scope);
  const bool by_current = letter == 'h' || letter == 'f';
  const std::string control = by_current ? meter : c + " " + d;
  if (by_current) {
    line(scope, {meter, metered, "0", "0"});
    scope.cards.push_back([=](const Place& at, Plain& out) { out.card('v', at, meter, at.node(metered), "0", "0"); });
  }
  line(scope, {random_.any_case(name), a, b, control, gain.text}, tail());
  resistor(scope, a, "0");
  scope.cards.push_back([=](const Place& at, Plain& out) {
    // M of instances multiplies G, divides H, and leaves E and F as they are.
    const long double g = gain.value(at.values);
    const long double value = letter == 'g' ? g * at.copies : letter == 'h' ? g / at.copies : g;
    const std::string to = at.node(a), from = at.node(b), plus = at.node(c), minus = at.node(d);
    if ((letter == 'g' || letter == 'f') && (to == from || (letter == 'g' && plus == minus))) return;
    const bool is_own = (plus == to || plus == from) && (minus == to || minus == from);
    if (letter == 'g' && is_own)  // a conductance
      return out.card('r', at, name, to, from, Plain::number((plus == to ? 1 : -1) / value));
    if (letter == 'e' && (is_own || plus == minus)) return out.card('v', at, name, to, from, "0");
    const std::string by = by_current ? "v:" + at.path + meter : plus + " " + minus;
    out.card(letter, at, name, to, from, by + " " + Plain::number(value));
  });
}

void RandomDeck::coupled(Scope& scope) {
  const std::string l1 = card_name(scope, "l"), l2 = card_name(scope, "l"), k = card_name(scope, "k");
  const std::string a = random_.pick(scope.nodes), b = new_node(scope), c = new_node(scope);
  line(scope, {l1, a, b, "1n"});
  line(scope, {l2, a, c, "2n"});
  line(scope, {random_.any_case(k), random_.any_case(l1), random_.any_case(l2), "0.5"}, tail());
  scope.cards.push_back([=](const Place& at, Plain& out) {
    out.card('l', at, l1, at.node(a), at.node(b), Plain::number(1e-9L / at.copies));
    out.card('l', at, l2, at.node(a), at.node(c), Plain::number(2e-9L / at.copies));
    out.card('k', at, k, "l:" + at.path + l1, "l:" + at.path + l2, "0.5");
  });
}

void RandomDeck::fill(Scope& scope, int elements, bool may_call) {
  for (int i = 0; i < elements; ++i) {
    const int which = random_.integer(0, 19);
    if (which < 9) {
      const std::string a = any_node(scope), b = random_.chance(0.5) ? new_node(scope) : any_node(scope);
      if (a != b) resistor(scope, a, b);
    } else if (which < 11) {
      storage(scope, kCapacitor);
    } else if (which == 11) {
      storage(scope, kInductor);
    } else if (which < 15) {
      source(scope, kCurrentSource);
    } else if (which == 15) {
      source(scope, kVoltageSource);
    } else if (which == 16 && language_.has_controlled) {
      random_.chance(0.6) ? controlled(scope) : coupled(scope);
    } else if (may_call && !subcircuits_.empty()) {
      instance(scope);
    }
  }
}

}  // namespace gridiron::test
