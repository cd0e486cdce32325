// SPDX-License-Identifier: Apache-2.0
// A second opinion on dialects: random decks in the spellings of HSPICE, PSpice and LTspice that ngspice knows have the
// operating point that it finds under `ngbehavior=hs`, `ps` and `lt`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/app/ngspice_voltages.hpp"
#include "tests/app/tool.hpp"
#include "tests/netlist/dialects/values.hpp"

namespace gridiron {
namespace {

using test::Expression;
using test::Language;
using test::Named;
using test::Scope;
using test::voltages;
using test::Voltages;

constexpr double kRelative = 1e-6, kAbsolute = 1e-12;

struct Behaviour {
  const char* name;  ///< of ngspice
  Language language;
};

/// What ngspice 39 has of a language: neither its own meaning of powers and suffixes, nor most of its functions.
Language known_to_ngspice(Language language, bool has_choice) {
  language.functions = {"abs", "sqrt", "exp", "log", "log10", "min", "max", "sgn", "**"};
  if (has_choice) language.functions.push_back("int");
  language.has_choice = has_choice;
  language.has_single_signs = language.has_hat = language.has_mega_x = false;
  language.micro = {"u"};
  language.parameter_words = {".param"};
  return language;
}

class DialectDeck {
 public:
  DialectDeck(const Language& language, unsigned seed) : language_(language), random_(seed) {}

  std::string library;  ///< of the file "part.lib"

  std::string text() {
    parameters();
    functions();
    add("v1 n1 0 " + value(1.2, top_));
    for (int i = 0, n = random_.integer(2, 12); i < n; ++i) {
      const std::string from = node();
      add(fmt::format("{}{} {} n{} {}", random_.any_case("r"), ++cards_, from, ++nodes_, value(resistance(), top_)));
    }
    for (int i = 0, n = random_.integer(2, 10); i < n; ++i) between("r", value(resistance(), top_));
    for (int i = 0, n = random_.integer(1, 6); i < n; ++i) between("i", value(random_.uniform(1e-5, 1e-2), top_));
    for (int i = 0, n = random_.integer(0, 2); i < n; ++i) between("c", value(1e-12, top_));
    subcircuit();
    if (language_.dialect == Dialect::hspice) conditions();
    std::string deck = "* deck\n" + parts();
    for (const std::string& line : top_.lines) deck += line + "\n";
    return deck + ".control\nset numdgt=15\nop\nprint all\nquit\n.endc\n.end\n";
  }

 private:
  double resistance() { return std::pow(10, random_.uniform(0, 4)); }
  std::string node() { return fmt::format("n{}", random_.integer(1, nodes_)); }
  void add(const std::string& card) {
    const std::string tail = random_.pick(language_.tails);
    top_.lines.push_back(card + (random_.chance(0.1) ? "\n+" : "") + tail);
  }
  std::string value(double size, Scope& scope) {
    return random_.chance(0.1) && &scope == &top_ && !scope.names.empty()
               ? values_.bracketed(random_.pick(scope.names).name + "*" + fmt::format("{:.4g}", size))
               : values_.value(size, {""}, scope).text;
  }
  void between(const char* letter, const std::string& value) {
    const std::string a = node(), b = random_.chance(0.4) ? "0" : node();
    if (a != b) add(fmt::format("{}{} {} {} {}", random_.any_case(letter), ++cards_, a, b, value));
  }

  void parameters() {
    for (int i = 0, n = random_.integer(1, 4); i < n; ++i) {
      const Expression e = expressions_.between(0.5, 4, top_.names, 2);
      const std::string name = fmt::format("par{}", i);
      top_.lines.push_back(random_.any_case(".param") + " " + name + "=" + values_.bracketed(e.text));
      top_.names.push_back({name, std::min(0.5, e.low), std::max(4., e.high)});
    }
  }
  void functions() {
    const Expression body = expressions_.between(0.5, 4, {{"x", 0.5, 4}, {"y", 0.5, 4}}, 2);
    const bool is_card = language_.has_func_card;
    top_.lines.push_back((is_card ? ".func fun(x,y) " : ".param fun(x,y)=") + values_.bracketed(body.text));
    expressions_.functions.push_back({"fun", body});
  }
  void subcircuit() {
    const bool with_keyword = language_.dialect == Dialect::pspice;
    Scope body;
    body.names = top_.names;
    body.names.push_back({"w", 0.5, 4});
    body.lines = {std::string(".subckt cell p q ") + (with_keyword ? "params: " : "") + "w=1.5"};
    body.lines.push_back("r1 p mid " + value(100, body));
    body.lines.push_back("r2 mid q " + values_.bracketed("w*50"));
    body.lines.push_back("i1 mid 0 " + value(1e-3, body));
    body.lines.push_back(random_.any_case(".ends") + (random_.chance(0.5) ? " cell" : ""));
    top_.lines.insert(top_.lines.end(), body.lines.begin(), body.lines.end());
    for (int i = 0, n = random_.integer(0, 3); i < n; ++i) {
      const std::string w = values_.bracketed(expressions_.between(0.5, 4, top_.names, 1).text);
      between("x", std::string("cell") + (random_.chance(0.5) ? (with_keyword ? " params: w=" : " w=") + w : ""));
    }
  }
  void conditions() {
    const std::string a = node();
    top_.lines.insert(top_.lines.begin(), fmt::format(".param sel={}", random_.integer(1, 3)));
    top_.lines.push_back(fmt::format(".if (sel=={})", random_.integer(1, 3)));
    top_.lines.push_back(fmt::format("r{} {} 0 {}", ++cards_, a, values_.number(200, {""}).text));
    top_.lines.push_back(".else");
    top_.lines.push_back(fmt::format("r{} {} 0 {}", ++cards_, a, values_.number(700, {""}).text));
    top_.lines.push_back(".endif");
  }
  /// A card of a library, by file and, for HSPICE, section.
  std::string parts() {
    if (!random_.chance(0.5)) return "";
    const std::string card = fmt::format("rlib n1 0 {}\n", values_.number(500, {""}).text);
    const bool by_section = language_.has_sections;
    library = by_section ? ".lib tt\n" + card + ".endl\n.lib ff\nrother n1 0 1\n.endl\n" : card;
    return by_section ? ".lib 'part.lib' tt\n"
                      : random_.pick(std::vector<std::string>{".lib part.lib\n", ".inc part.lib\n"});
  }

  const Language& language_;
  test::Random random_;
  test::Expressions expressions_{language_, random_};
  test::Values values_{language_, random_, expressions_};
  Scope top_;
  int nodes_ = 1, cards_ = 1;
};

class NgspiceDialects : public test::Tool, public testing::WithParamInterface<Behaviour> {};

TEST_P(NgspiceDialects, HaveTheSameOperatingPoint) {
  if (shell("command -v ngspice").code != 0) GTEST_SKIP() << "no ngspice here: apt-get install ngspice";
  const auto& [behaviour, language] = GetParam();
  const char* const asked = std::getenv("GRIDIRON_DIALECT_DECKS");
  const unsigned decks = asked ? static_cast<unsigned>(std::atoi(asked)) : 100;
  for (unsigned seed = 0; seed < decks; ++seed) {
    DialectDeck made(language, seed);
    const std::string deck = made.text();
    write("deck.sp", deck);
    write("part.lib", made.library);
    const Outcome ours =
        gridiron(fmt::format("ir deck.sp --dialect {} --engine cholmod --tolerance 100nV --formats "
                             "solution --out out --quiet",
                             name_of(language.dialect)));
    ASSERT_EQ(ours.code, 0) << "deck " << seed << "\n" << ours.err << deck << made.library;
    const Outcome theirs = shell(fmt::format("ngspice -b -D ngbehavior={} deck.sp 2>&1", behaviour));
    const Voltages mine = voltages(slurp(folder_ / "out" / "deck.solution"), false),
                   reference = voltages(theirs.out, true);
    ASSERT_GT(mine.size(), 2u) << "deck " << seed;
    for (const auto& [node, volts] : mine) {
      if (node == "0") continue;
      const auto other = reference.find(node);
      ASSERT_TRUE(other != reference.end()) << "deck " << seed << ": no node " << node << "\n" << theirs.out << deck;
      EXPECT_NEAR(volts, other->second, kRelative * std::abs(other->second) + kAbsolute)
          << "deck " << seed << ", node " << node << "\n"
          << deck << made.library;
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, NgspiceDialects,
                         testing::Values(Behaviour{"hs", known_to_ngspice(test::hspice_language(), true)},
                                         Behaviour{"ps", known_to_ngspice(test::pspice_language(), false)},
                                         Behaviour{"lt", known_to_ngspice(test::ltspice_language(), true)}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gridiron
