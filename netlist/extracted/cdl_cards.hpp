// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlist/values/scope.hpp"

namespace gridiron {

/// The nodes of the card `*.GLOBAL` at `at`, which then is behind it; its lines are continued by `+` or `*+`. Of a node
/// with the kind of its supply, such as `VDD!:P`, the name without it, too. Errors: SyntaxError. Internal to netlist/.
std::vector<ast::Text> cdl_global_nodes(const char*& at, const char* end);

/// Whether the card `*.SCALE` at `at` says METER, or nothing.
bool is_cdl_scale_of_metres(const char* at, const char* end);

/// Where a deck has `*.MEGA`, an M behind a number is mega, and milli here. Errors: InputError at such a number.
void require_no_cdl_mega(const Deck& deck);

}  // namespace gridiron
