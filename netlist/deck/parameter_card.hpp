// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlist/grammar/ast.hpp"
#include "netlist/values/expression.hpp"

namespace gridiron {

/// Reads `.param name=value … name(argument, …)=expression …` from `at` to the end of the card. A value is a number, an
/// {expression}, or text up to a blank. Errors: SyntaxError. Internal to netlist/.
void parse_parameter_card(const char*& at, const char* end, std::vector<ast::Assignment>& assignments,
                          std::vector<UserFunction>& functions);

/// Reads `.func name(argument, …)` and an equals sign if there is one; returns where the body begins.
const char* parse_function_head(const char*& at, const char* end, UserFunction& function);

/// Without blanks around it, and without the braces or quotes that enclose all of it.
ast::Text without_brackets(ast::Text text);

}  // namespace gridiron
