// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/grammar/ast.hpp"

namespace gridiron::grammar {

/// E, F, G and H, with parse_passive()'s conventions. Errors: SyntaxError; CardError, which names what is not linear.
void parse_controlled(const char*& at, const char* end, ast::Controlled& card);

/// K. Errors: SyntaxError.
void parse_coupling(const char*& at, const char* end, ast::Coupling& card);

}  // namespace gridiron::grammar
