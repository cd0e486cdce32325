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

/// Errors: InputError where CDL means something else than what is read: at a number with an M behind it where a deck
/// has
/// `*.MEGA` (mega to CDL, milli here), and at `M=` behind an annotation of a deck in CDL, as in `$[model] M=2` (auCdl's
/// multiplier, a comment here).
void require_cdl_that_reads_alike(const Deck& deck);

}  // namespace gridiron
