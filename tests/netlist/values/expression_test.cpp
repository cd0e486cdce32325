// SPDX-License-Identifier: Apache-2.0
// Arithmetic of {expressions}: precedence, functions, rejection of results that are not finite and of nesting that is
// too deep.
#include "netlist/values/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gridiron {
namespace {

double evaluate(std::string_view text) {
  return evaluate_expression(text, [](std::string_view name) {
    if (name == "w") return 3.0;
    throw ExpressionError("unknown parameter");
  });
}

TEST(Expression, Values) {
  EXPECT_EQ(evaluate("1+2*3"), 7);
  EXPECT_EQ(evaluate("(1+2)*3"), 9);
  EXPECT_EQ(evaluate("2**(3**2)"), 512);
  EXPECT_EQ(evaluate("2^-1"), 0.5);
  EXPECT_EQ(evaluate("-2**2 * 3"), -12);
  EXPECT_EQ(evaluate("-2^2"), -4);
  EXPECT_EQ(evaluate("(-2)^2"), 4);
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
  for (const char* text : {"", "1+", "(1", "1)", "1 2", "foo(1)", "min(1)", "sqrt(1,2)", "x", "1/0", "sqrt(-1)",
                           "exp(1e9)", "*2", "{1}", "1e999", "2^3^2", "2**3**2", "(-2)**3"})
    EXPECT_THROW(evaluate(text), ExpressionError) << text;
  EXPECT_THROW(evaluate(std::string(5000, '(') + "1" + std::string(5000, ')')), ExpressionError);
  EXPECT_THROW(evaluate(std::string(20000, '1')), ExpressionError);
  EXPECT_EQ(evaluate(std::string(9999, '-') + "1"), -1);
}

}  // namespace
}  // namespace gridiron
