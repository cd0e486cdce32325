// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/grammar/primitives.hpp"
#include "netlist/values/scope.hpp"

namespace gridiron {

/// The dialect that alone has such a comment, which begins with the '*' at `at`; automatic for most.
Dialect dialect_of_word(ast::Text comment);
inline Dialect dialect_of_comment(const char* at, const char* end) {
  const auto is_of_header = [](char c) { return (c | 0x20) == 'd' || (c | 0x20) == 'n' || (c | 0x20) == 'g'; };
  const bool is_special = end - at > 4 && at[1] == '|' && is_of_header(at[2]);
  return is_special ? dialect_of_word(grammar::first_word(at, end)) : Dialect::automatic;
}

/// Whether comments that are cards of CDL are read; programs of other dialects do not look at them.
inline bool reads_cdl_comments(Dialect given) {
  return given == Dialect::automatic || given == Dialect::cdl || given == Dialect::dspf;
}

/// What the first unmistakable card of what has been read so far tells, which may turn out not to count.
Dialect guess_so_far(const Deck& deck);

/// Whose language a deck is written in: what its first unmistakable card tells, which a finding says, or automatic.
/// Those of netlists for layout tools (CDL, DSPF) count last, as programs of all dialects include such files. Internal
/// to netlist/.
Dialect guess_dialect(Deck& deck);

}  // namespace gridiron
