// SPDX-License-Identifier: Apache-2.0
// Arithmetic of {expressions}: precedence, conditions, functions, what dialects read differently, rejection of results
// that are not finite and of nesting that is too deep.
#include "netlist/values/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "netlist/names/name_table.hpp"
#include "netlist/values/arithmetic_program.hpp"

namespace gridiron {
namespace {

const UserFunction kOwn[] = {{"dbl", {"x"}, "2*x"},
                             {"sum", {"a", "b"}, "a + b + w"},
                             {"four", {"x"}, "dbl(DBL(x))"},
                             {"again", {"n"}, "n <= 0 ? 0 : again(n-1)"},
                             {"even", {"n"}, "odd(n)"},
                             {"odd", {"n"}, "even(n)"},
                             {"none", {"x"}, "y"}};

double evaluate(std::string_view text, Dialect dialect = Dialect::automatic) {
  const auto parameter = [](std::string_view name) {
    if (name == "w") return 3.0;
    throw ExpressionError("unknown parameter");
  };
  const auto function = [](std::string_view name) -> const UserFunction* {
    for (const UserFunction& f : kOwn)
      if (same_name(f.name, name)) return &f;
    return nullptr;
  };
  return evaluate_expression(text, parameter, with_any_unit, {dialect, function});
}

std::string refusal(std::string_view text, Dialect dialect = Dialect::automatic) {
  try {
    return "got " + std::to_string(evaluate(text, dialect));
  } catch (const ExpressionError& e) {
    return e.what();
  }
}

TEST(Expression, Values) {
  EXPECT_EQ(evaluate("1+2*3"), 7);
  EXPECT_EQ(evaluate("(1+2)*3"), 9);
  EXPECT_EQ(evaluate("2**(3**2)"), 512);
  EXPECT_EQ(evaluate("2^-1"), 0.5);
  EXPECT_EQ(evaluate("-2**2 * 3"), -12);
  EXPECT_EQ(evaluate("-2^2"), -4);
  EXPECT_EQ(evaluate("(-2)^2"), 4);
  EXPECT_EQ(evaluate("10 + (-2^2)"), 6);
  EXPECT_EQ(evaluate("max(1, -2^2)"), 1);
  EXPECT_EQ(evaluate("10 - +2^2 * -3"), 22);
  EXPECT_EQ(evaluate("pow(-2, 3)"), -8);
  EXPECT_EQ(evaluate("2*-3"), -6);
  EXPECT_EQ(evaluate("--3"), 3);
  EXPECT_EQ(evaluate("7 - 2 - 1"), 4);
  EXPECT_EQ(evaluate("8/2/2"), 2);
  EXPECT_EQ(evaluate("7 % 4"), 3);
  EXPECT_EQ(evaluate("1k + 2m"), 1000.002);
  EXPECT_EQ(evaluate("w*w"), 9);
  EXPECT_EQ(evaluate("MAX(w, 2) + min(1, 2)"), 4);
  EXPECT_EQ(evaluate("sqrt(abs(-16))"), 4);
  EXPECT_EQ(evaluate("1.5e-3"), 1.5e-3);
}

TEST(Expression, Refusals) {
  for (const char* text :
       {"",        "1+",      "(1",       "1)",        "1 2",       "foo(1)",        "min(1)",   "sqrt(1,2)",
        "x",       "1/0",     "sqrt(-1)", "exp(1e9)",  "*2",        "{1}",           "1e999",    "2^3^2",
        "2**3**2", "(-2)**3", "3*-2**2",  "10 + -2^2", "1 > -2**2", "1 ? -2**2 : 0", "10-+-2**2"})
    EXPECT_THROW(evaluate(text), ExpressionError) << text;
  EXPECT_THROW(evaluate(std::string(5000, '(') + "1" + std::string(5000, ')')), ExpressionError);
  EXPECT_THROW(evaluate(std::string(20000, '1')), ExpressionError);
  EXPECT_EQ(evaluate(std::string(9999, '-') + "1"), -1);
}

TEST(Expression, Conditions) {
  EXPECT_EQ(evaluate("w > 2 ? 10 : 20"), 10);
  EXPECT_EQ(evaluate("w>3?1:w>2?2:3"), 2);
  EXPECT_EQ(evaluate("w<1 ? unknown : 7"), 7) << "what does not apply is not looked up";
  EXPECT_EQ(evaluate("(w == 3) + (w != 3) + (w <> 4) + (w <= 3) + (w >= 3) + (w < 3) + (w > 3)"), 4);
  EXPECT_EQ(evaluate("1 + 2 < 4 && 2*3 == 6 || unknown"), 1);
  EXPECT_EQ(evaluate("0 && unknown"), 0);
  EXPECT_EQ(evaluate("!0 + !5 + !!7"), 2);
  EXPECT_EQ(evaluate("1 || 0 && 0"), 1) << "&& binds more tightly";
  EXPECT_EQ(evaluate("w?1k:2k"), 1000) << "the colon belongs to the choice";
  EXPECT_EQ(evaluate("2 - -w > 4"), 1);
  for (const char* text :
       {"w = 3", "w > ", "w ? 1", "w ? : 2", "sqrt(-1) > 0 ? 1 : 2", "w & 1", "w | 1", "~w", "1 =! 2"})
    EXPECT_THROW(evaluate(text), ExpressionError) << text;
  EXPECT_EQ(evaluate("w > 2 & w < 4 | 0", Dialect::ltspice), 1);
  EXPECT_EQ(evaluate("~0", Dialect::pspice), 1);
}

TEST(Expression, ComparisonsAndChoicesThatAllReadAlike) {
  EXPECT_EQ(evaluate("1 < 2 == 1"), 1);
  EXPECT_EQ(evaluate("3 > 2 > 1"), 0);
  EXPECT_EQ(evaluate("2 >= 1 <> 1"), 0);
  EXPECT_EQ(evaluate("1 == 1 == 2"), 0);
  EXPECT_EQ(evaluate("2 == (1 <= 3)"), 0);
  EXPECT_EQ(evaluate("1 ? (0 ? 7 : 8) : 9"), 8);
  EXPECT_EQ(evaluate("0 ? 7 : 1 ? 8 : 9"), 8);
  EXPECT_THAT(refusal("2 == 1 <= 3"), testing::HasSubstr("put one comparison into parentheses"));
  EXPECT_THAT(refusal("0 ? 0 ? 7 : 8 : 9"), testing::HasSubstr("put it into parentheses"));
}

TEST(Expression, FunctionsOfTheDeck) {
  EXPECT_EQ(evaluate("dbl(w) + sum(1, 2)"), 12);
  EXPECT_EQ(evaluate("four(dbl(1))"), 8);
  EXPECT_THAT(refusal("again(3)"), testing::HasSubstr("function 'again' calls itself"));
  EXPECT_THAT(refusal("even(3)"), testing::HasSubstr("function 'even' calls itself"));
  EXPECT_EQ(evaluate("again(0)"), 0);
  EXPECT_THAT(refusal("dbl(1, 2)"), testing::HasSubstr("dbl() takes 1 argument(s), got 2"));
  EXPECT_THAT(refusal("none(1)"), testing::HasSubstr("unknown parameter"));
  EXPECT_THAT(refusal("nothing(1)"), testing::HasSubstr("unknown function 'nothing'"));
}

TEST(Expression, FunctionsThatCallOthersWithoutEndAreRefused) {
  std::vector<std::string> names, bodies;
  for (int i = 0; i < 60; ++i) names.push_back("f" + std::to_string(i));
  bodies.push_back("x");
  for (int i = 1; i < 60; ++i) bodies.push_back(names[i - 1] + "(2*x) + " + names[i - 1] + "(2*x + 1)");
  std::vector<UserFunction> functions;
  for (int i = 0; i < 60; ++i) functions.push_back({names[i], {"x"}, bodies[i]});
  const auto find = [&](std::string_view name) -> const UserFunction* {
    for (const UserFunction& f : functions)
      if (f.name == name) return &f;
    return nullptr;
  };
  const auto none = [](std::string_view) -> double { throw ExpressionError("none"); };
  EXPECT_EQ(evaluate_expression("f2(1)", none, with_any_unit, {Dialect::automatic, find}), 4 + 5 + 6 + 7);
  EXPECT_THROW(evaluate_expression("f59(1)", none, with_any_unit, {Dialect::automatic, find}), ExpressionError);
  std::string choices = "1";
  for (int i = 0; i < 300; ++i) choices = "w ? " + choices + " : 2";
  EXPECT_THAT(refusal(choices, Dialect::hspice), testing::HasSubstr("more than 200 nested"));
}

/// Every function once, with the value that ngspice 39 has where it knows the function.
TEST(Expression, BuiltInFunctions) {
  const std::pair<const char*, double> kValues[] = {
      {"sgn(-3)", -1},
      {"sgn(0)", 0},
      {"int(-2.7)", -2},
      {"nint(2.4)", 2},
      {"floor(-2.5)", -3},
      {"ceil(2.1)", 3},
      {"log(100)", 4.60517},
      {"log10(100)", 2},
      {"ln(10)", 2.302585},
      {"sqr(3)", 9},
      {"asin(0.5)", 0.5235988},
      {"arctan(1)", 0.7853982},
      {"sinh(1)", 1.175201},
      {"asinh(1)", 0.8813736},
      {"pow(-2,3)", -8},
      {"pwr(2,3)", 8},
      {"max(1,2)", 2},
      {"exp(1)", 2.718282},
      {"hypot(3,4)", 5},
      {"atan2(1,1)", 0.7853982},
      {"pwrs(-2,3)", -8},
      {"sign(2,-3)", -2},
      {"stp(2)", 1},
      {"u(-2)", 0},
      {"uramp(2)", 2},
      {"if(w > 2, 5, 6)", 5},
      {"table(1, 0,0, 2,4)", 2},
      {"table(9, 0,0, 2,4)", 4},
      {"cosh(0)", 1},
      {"tanh(0)", 0},
      {"acos(1)", 0},
      {"atan(0)", 0},
      {"acosh(1)", 0},
      {"atanh(0)", 0},
      {"arcsin(0)", 0},
      {"arccos(1)", 0},
      {"round(2.5)", 3},
      {"tan(0)", 0},
  };
  for (const auto& [text, value] : kValues) EXPECT_NEAR(evaluate(text), value, 1e-6) << text;
}

/// Where programs differ, the dialect decides, and without one it is an error.
TEST(Expression, Dialects) {
  using enum Dialect;
  const struct {
    const char* text;
    std::map<Dialect, double> value;  ///< an error in all others
  } kCases[] = {
      {"pwr(-2,3)", {{ngspice, 8}, {pspice, 8}, {ltspice, 8}, {cdl, 8}, {dspf, 8}, {hspice, -8}}},
      {"(-2)**3", {{ngspice, 8}, {hspice, -8}, {ltspice, -8}}},
      {"(-8)**0.5", {{ngspice, std::sqrt(8)}, {hspice, 1}}},
      {"log(-100)", {{hspice, -std::log(100)}}},
      {"sqrt(-4)", {{hspice, -2}}},
      {"pow(2, 1.5)",
       {{automatic, std::pow(2, 1.5)},
        {ngspice, std::pow(2, 1.5)},
        {pspice, std::pow(2, 1.5)},
        {ltspice, std::pow(2, 1.5)},
        {cdl, std::pow(2, 1.5)},
        {dspf, std::pow(2, 1.5)},
        {hspice, 2}}},
      {"2^3", {{automatic, 8}, {ngspice, 8}, {hspice, 8}, {cdl, 8}, {dspf, 8}}},
      {"nint(2.5)", {{ngspice, 2}}},
      {"limit(5, 1, 3)", {{pspice, 3}, {ltspice, 3}}},
      {"limit(5, 1)", {}},
      {"agauss(5, 1, 3)", {{hspice, 5}}},
      {"u(0)", {}},
      {"if(0.3, 1, 2)", {}},
      {"2 == 1 <= 3", {{ngspice, 1}, {hspice, 0}, {pspice, 0}, {ltspice, 0}, {cdl, 0}, {dspf, 0}}},
      {"2 < 3 == 3 > 2", {{ngspice, 0}, {hspice, 1}, {pspice, 1}, {ltspice, 1}, {cdl, 1}, {dspf, 1}}},
      {"3 != 2 > 1", {{ngspice, 0}, {hspice, 1}, {pspice, 1}, {ltspice, 1}, {cdl, 1}, {dspf, 1}}},
      {"1 ? 0 ? 7 : 8 : 9", {{hspice, 8}, {pspice, 8}, {ltspice, 8}, {cdl, 8}, {dspf, 8}}},
  };
  for (const auto& c : kCases)
    for (const Dialect dialect : {automatic, ngspice, hspice, pspice, ltspice, cdl, dspf}) {
      const auto known = c.value.find(dialect);
      if (known == c.value.end())
        EXPECT_THAT(refusal(c.text, dialect), testing::Not(testing::StartsWith("got"))) << name_of(dialect);
      else
        EXPECT_DOUBLE_EQ(evaluate(c.text, dialect), known->second) << c.text << " " << name_of(dialect);
    }
}

const UserFunction kHyp{"hyp", {"a", "b"}, "a/b - 3"}, kSame{"same", {"a"}, "a"}, kSquare{"sq", {"x"}, "x*hyp(x, 2k)"},
    kCorner{"corner", {"tt", "ff", "ss"}, "ff"};

struct Meaning : ArithmeticMeaning {
  std::optional<double> parameter(std::string_view name) override {
    ++asked;
    if (name != "rw" && name != "a.b") return std::nullopt;
    return name == "rw" ? 0.3 : -7.1;
  }
  std::optional<double> number(double digits, std::string_view letters) override {
    return with_any_unit(digits, letters);
  }
  const UserFunction* function(std::string_view name) override {
    return name == "hyp"      ? &kHyp
           : name == "same"   ? &kSame
           : name == "sq"     ? &kSquare
           : name == "corner" ? &kCorner
                              : nullptr;
  }
  int asked = 0;
};

double general(std::string_view text) {
  Meaning meaning;
  const auto lookup = [&meaning](std::string_view name) {
    const std::optional<double> value = meaning.parameter(name);
    if (!value) throw ExpressionError("unknown");
    return *value;
  };
  return evaluate_expression(text, lookup, with_any_unit, {Dialect::automatic, [&meaning](std::string_view name) {
                                                             return meaning.function(name);
                                                           }});
}

/// Sums and products come out as by evaluate_expression(), to the last bit; all else is left to it.
TEST(ArithmeticProgram, IsThatOfExpressions) {
  Meaning meaning;
  ArithmeticPrograms programs;
  for (const char* text : {"rw*3*1u+0.1",
                           "1-2-3",
                           "8/4/2",
                           "2*-3",
                           "- -2*1",
                           "+-+2k-0",
                           "(rw+1)*(2-a.b)/3",
                           "1e-3*rw",
                           "((((1*2))))",
                           ".5*2meg",
                           "1/3+1/7*rw-2/9",
                           "1k - 5",
                           "\t2 * 3\r",
                           "hyp(1,rw)",
                           "2*-hyp ( rw+1 , hyp(3,1k)) - 1",
                           "same(2)",
                           "same(rw)",
                           "-same(0)",
                           "sq(2.5)",
                           "0*-1",
                           "corner(1k,2k,3k)",
                           "+corner(1*rw,same(2)*3,3*rw)",
                           "corner(1, corner(1*2,2*3,3*4), rw*4)",
                           "corner(1u,2,3u)",
                           "sq(same(1meg)*rw)"}) {
    const std::optional<double> value = programs.value(text, meaning);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_EQ(std::bit_cast<uint64_t>(*value), std::bit_cast<uint64_t>(general(text))) << text;
  }
  for (const char* text :
       {"",         " ",    "1",     "rw",   " -rw ",  "(1k)",    "2**3",     "2^3",     "1 2",   "1+",         "*2",
        "(1",       "1)",   "x",     "rw:1", "hyp(1)", "hyp(1,2", "hyp(1;2)", "hyp(,2)", "hyp()", "hyp(1,2,3)", "1/0",
        "max(1,2)", "1==1", "1?2:3", "!1",   "5%3",    "1.2.3",   "rw rw",    "-",       "1k5*2", "hyp(1,0)*0"})
    EXPECT_FALSE(programs.value(text, meaning).has_value()) << text;
}

/// What differs in its numbers alone is computed without being read again; a number has another extent there.
TEST(ArithmeticProgram, ComputesWhatDiffersInItsNumbers) {
  Meaning meaning;
  ArithmeticPrograms programs;
  const auto expect_same = [&](const char* text) {
    const std::optional<double> value = programs.value(text, meaning);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_EQ(*value, general(text)) << text;
  };
  expect_same("rw*1.5/2+12*a.b");
  const int asked = meaning.asked;
  for (const char* text : {"rw*0.25/3+1234567890123*a.b", "rw*1e3/.5+7.*a.b", "rw*1.7976931348623157e300/2+1*a.b"})
    expect_same(text);
  EXPECT_EQ(meaning.asked, asked);
  for (const char* text : {"rw*1.5/2+12*rw", "rw*1.5/2-12*a.b", "rw*15/2+12*a.b ", "rw*1.5/2k+12*a.b", "rw*1.5/2+a.b*1",
                           "rw*1.5/2u+12*a.b", "rw*1.5/2meg+12*a.b", "hyp(2,rw)", "hyp(3.5,rw)", "hyp(3.5,1)"})
    expect_same(text);
  EXPECT_FALSE(programs.value("rw*1.5/0+12*a.b", meaning).has_value()) << "left to what tells it";
  EXPECT_FALSE(programs.value("rw*-/2+12*a.b", meaning).has_value());
  EXPECT_FALSE(programs.value("rw*1.5/2+12*a.", meaning).has_value());
  EXPECT_FALSE(programs.value("rw*1.5/2+12*a.bc", meaning).has_value());
  EXPECT_THROW(programs.value("rw*1.5/2furlong", meaning), UnitError);
  expect_same("rw*1.5/2");
}

}  // namespace
}  // namespace gridiron
