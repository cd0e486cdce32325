// SPDX-License-Identifier: Apache-2.0
#include "tests/netlist/dialects/random_deck.hpp"

#include <algorithm>
#include <utility>

namespace gridiron::test {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& l : lines) text += l + "\n";
  return text;
}

std::string with_carriage_returns(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' && (out.empty() || out.back() != '\r')) out += '\r';
    out += c;
  }
  return out;
}

}  // namespace

/// `.param a=1 b={2*a}`, several to a card, of which later ones may use earlier ones.
void RandomDeck::parameters(Scope& scope, const std::string& stem, int most) {
  std::vector<std::string> words;
  for (int i = 0, n = random_.integer(0, most); i < n; ++i) {
    const std::string name = stem + fmt::format("{}", i);
    const Expression e = language_.functions.empty() || random_.chance(0.3)
                             ? expressions_.literal(0.5, 4)
                             : expressions_.between(0.5, 4, scope.names, 2);
    const bool is_bare = e.text.find_first_of(" \t=<>,?&|") == e.text.npos && random_.chance(0.3);
    const std::string sign = random_.pick(std::vector<std::string>{"=", "=", " = ", "= "});
    words.push_back(random_.any_case(name) + sign + (is_bare ? e.text : values_.bracketed(e.text)));
    scope.definitions.emplace_back(name, e.value);
    scope.names.push_back({name, std::min(0.5, e.low), std::max(4., e.high)});
    if (random_.chance(0.5) || i + 1 == n) {
      words.insert(words.begin(), random_.any_case(random_.pick(language_.parameter_words)));
      line(scope, words, language_.has_annotations ? "" : tail());
      words.clear();
    }
  }
}

void RandomDeck::functions() {
  if (!language_.has_functions) return;
  std::vector<Function> made;
  for (int i = 0, n = random_.integer(0, 3); i < n; ++i) {
    const std::string name = fmt::format("fun{}", i);
    const Expression body = expressions_.between(0.5, 4, {{"x", 0.5, 4}, {"y", 0.5, 4}}, 2);
    const bool is_card = language_.has_func_card && (language_.dialect == Dialect::pspice || random_.chance(0.6));
    const std::string head =
        random_.any_case(name) + random_.pick(std::vector<std::string>{"(x,y)", "(x, y)", "( x , y )"});
    const std::string equals = is_card && random_.chance(0.5) ? " " : "=";
    top_.lines.push_back(random_.any_case(is_card ? ".func" : ".param") + " " + head + equals +
                         values_.bracketed(body.text));
    expressions_.functions.push_back({name, body});
  }
}

void RandomDeck::temperature() {
  if (!language_.has_temperature) return;
  if (language_.dialect == Dialect::hspice) degrees_ = nominal_ = 25;
  if (random_.chance(0.3)) top_.lines.push_back(fmt::format(".temp {}", degrees_ = 85));
  if (random_.chance(0.3)) top_.lines.push_back(fmt::format(".option tnom={}", nominal_ = 20));
}

/// Branches of which one applies, by a number that the scope knows as `sel`.
void RandomDeck::conditions(Scope& scope) {
  if (!language_.has_conditions || !random_.chance(0.6)) return;
  const bool is_inside = &scope != &top_;
  const int asked = random_.integer(1, 3);
  const std::string selector = is_inside ? "mode" : "sel";
  std::string text;
  std::vector<std::vector<Emit>> branches;
  for (int i = 0; i < 2; ++i) {
    Scope branch;
    branch.nodes = scope.nodes, branch.names = scope.names, branch.count = scope.count;
    const std::string a = random_.pick(scope.nodes);
    resistor(branch, a, a == "0" ? scope.nodes.back() : "0");
    if (random_.chance(0.5)) source(branch, kCurrentSource);
    scope.count = branch.count;
    for (auto& d : branch.definitions) scope.definitions.push_back(d);
    const std::string condition =
        fmt::format("{}{}=={}{}", random_.any_case(selector), random_.pick(std::vector<std::string>{"", " "}),
                    random_.pick(std::vector<std::string>{"", " "}), asked);
    const std::string bracketed = random_.chance(0.3) ? values_.bracketed(condition) : "(" + condition + ")";
    text +=
        (i == 0 ? random_.any_case(".if") + " " + bracketed : random_.any_case(".else")) + "\n" + joined(branch.lines);
    branches.push_back(branch.cards);
  }
  scope.lines.push_back(text + random_.any_case(".endif"));
  scope.cards.push_back([=](const Place& at, Plain& out) {
    for (const Emit& card : branches[at.values.at(selector) == asked ? 0 : 1]) card(at, out);
  });
}

Subcircuit& RandomDeck::subcircuit(const std::string& name, bool may_call) {
  auto made = std::make_unique<Subcircuit>();
  Subcircuit& s = *made;
  s.name = name;
  s.ports = {"p", "q"};
  s.body.nodes = s.ports;
  s.body.names = top_.names;
  std::string head = random_.any_case(random_.pick(language_.subckt_words)) + " " + random_.any_case(name) + " p q";
  const bool with_keyword =
      language_.dialect == Dialect::pspice || (language_.dialect == Dialect::ltspice && random_.chance(0.5));
  const int count = random_.integer(0, 2);
  if (with_keyword && count > 0) head += random_.any_case(" params:");
  for (int i = 0; i < count; ++i) {
    const std::string parameter = name + fmt::format("w{}", i);
    s.parameters.push_back({parameter, 0.5, 4});
    s.defaults.push_back(values_.factor(0.5, 4, top_));
    head += " " + random_.any_case(parameter) + (random_.chance(0.3) ? " = " : "=") + s.defaults.back().text;
  }
  if (language_.has_conditions) head += " mode=1";
  for (const Named& n : s.parameters) s.body.names.push_back(n);
  parameters(s.body, name + "loc", 2);
  fill(s.body, random_.integer(2, 6), may_call);
  conditions(s.body);
  random_.shuffle(s.body.lines);
  const std::string end =
      random_.any_case(random_.pick(language_.ends_words)) + (random_.chance(0.5) ? " " + name : "");
  top_.lines.push_back(head + "\n" + joined(s.body.lines) + end);
  subcircuits_.push_back(std::move(made));
  return s;
}

void RandomDeck::subcircuits() {
  for (int i = 0, n = random_.integer(0, 3); i < n; ++i) subcircuit(fmt::format("cell{}", i), i > 0);
}

void RandomDeck::instance(Scope& scope) {
  const Subcircuit* const of = random_.pick(subcircuits_).get();
  if (&scope == &of->body) return;
  const std::string name = card_name(scope, "x"), a = any_node(scope), b = any_node(scope);
  if (a == b) return;
  std::vector<std::string> words{random_.any_case(name), a, b};
  if (language_.dialect == Dialect::cdl && random_.chance(0.7)) words.push_back("/");
  words.push_back(random_.any_case(of->name));
  std::vector<std::pair<std::string, Spelled>> given;
  for (const Named& p : of->parameters)
    if (random_.chance(0.6)) given.emplace_back(p.name, values_.factor(0.5, 4, scope));
  if (!given.empty() && language_.dialect == Dialect::pspice) words.push_back("PARAMS:");
  for (const auto& [key, v] : given) words.push_back(random_.any_case(key) + "=" + v.text);
  const int mode = language_.has_conditions && random_.chance(0.7) ? random_.integer(1, 3) : 0;
  if (mode > 0) words.push_back(fmt::format("mode={}", mode));
  Spelled copies{"", [](const Environment&) { return 1.0L; }};
  if (language_.dialect != Dialect::pspice && random_.chance(0.3)) copies = values_.factor(0.5, 3, scope);
  if (!copies.text.empty()) words.push_back("M=" + copies.text);
  line(scope, words, language_.has_annotations ? "" : tail());
  scope.cards.push_back([=](const Place& at, Plain& out) {
    Place inside{
        at.path + name + ".", at.values, {{"p", at.node(a)}, {"q", at.node(b)}}, at.copies * copies.value(at.values)};
    for (size_t i = 0; i < of->parameters.size(); ++i)
      inside.values[of->parameters[i].name] = of->defaults[i].value(at.values);
    for (const auto& [key, v] : given) inside.values[key] = v.value(at.values);
    inside.values["mode"] = mode > 0 ? mode : 1;
    emit_instance(*of, inside, out);
  });
}

/// Moves some of the cards to a file of their own.
void RandomDeck::included(DeckPair&) {
  for (int i = 0, n = random_.integer(0, 2); i < n && top_.lines.size() > 4; ++i) {
    std::string part;
    for (int k = 0, most = random_.integer(1, 4); k < most && !top_.lines.empty(); ++k) {
      part += top_.lines.back() + "\n";
      top_.lines.pop_back();
    }
    const std::string name = fmt::format("Part_{}.inc", i);
    const std::string quote = random_.pick(std::vector<std::string>{"", "'", "\""});
    const std::string quoted = quote + name + quote;
    if (language_.has_whole_lib && random_.chance(0.5)) {
      first_lines_.push_back(random_.any_case(".lib") + " " + quoted);
    } else if (language_.has_sections && random_.chance(0.5)) {
      part = "* library\n.lib ff\nr_other nowhere 0 1\n.endl ff\n.LIB TT\n" + part +
             random_.pick(std::vector<std::string>{".endl\n", ".endl tt\n"});
      first_lines_.push_back(random_.any_case(".lib") + " " + quoted + " " + random_.any_case("tt"));
    } else {
      first_lines_.push_back(random_.any_case(random_.pick(std::vector<std::string>{".include", ".inc"})) + " " +
                             quoted);
    }
    files_[name] = part;
  }
}

void RandomDeck::surroundings(DeckPair& pair) {
  for (const std::string& card : language_.harmless)
    if (random_.chance(0.2)) top_.lines.push_back(card);
  if (random_.chance(0.2)) top_.lines.push_back("* a comment");
  if (random_.chance(0.8) && !language_.signs.empty()) {
    top_.lines.push_back(random_.pick(language_.signs));
    pair.is_unmistakable = true;
  }
}

DeckPair RandomDeck::make() {
  DeckPair pair;
  selected_ = random_.integer(1, 3);
  if (language_.has_conditions) first_lines_.push_back(fmt::format(".param sel={}", selected_));
  if (random_.chance(0.3) && language_.dialect != Dialect::pspice) {
    has_global_ = true;
    first_lines_.push_back(random_.any_case(".global") + " glob! glob2");
  }
  temperature();
  parameters(top_, "par", 5);
  functions();
  top_.nodes.push_back("n1");
  line(top_, {"v0", "n1", "0", "1"});
  top_.cards.push_back([](const Place& at, Plain& out) { out.card('v', at, "v0", "n1", "0", "dc 1"); });
  subcircuits();
  fill(top_, random_.integer(3, 20), true);
  conditions(top_);
  surroundings(pair);
  random_.shuffle(top_.lines);
  included(pair);

  Place at;
  at.values["sel"] = selected_;
  top_.define(at.values);
  Plain plain;
  for (const Emit& card : top_.cards) card(at, plain);
  const std::string title = random_.pick(std::vector<std::string>{"* a deck", "Deck of a grid", "* v1 a 0 1"});
  pair.written = title + "\n" + joined(first_lines_) + joined(top_.lines) + ".end\n";
  pair.plain = "* plain\n" + plain.text + ".end\n";
  if (language_.is_windows && random_.chance(0.5)) {
    pair.written = with_carriage_returns(pair.written);
    for (auto& [name, text] : files_) text = with_carriage_returns(text);
  }
  pair.files = files_;
  pair.is_unmistakable &= !values_.needs_dialect;
  return pair;
}

}  // namespace gridiron::test
