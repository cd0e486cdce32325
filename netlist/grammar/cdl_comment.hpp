// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/grammar/ast.hpp"

namespace gridiron::grammar {

/// Whether a comment that begins with this word, such as `*.GLOBAL`, is a card of CDL. Lines that begin with `+`
/// continue it, as they do a card.
bool is_cdl_comment(ast::Text word);

/// The same of the text from the '*' at `at` on.
inline bool begins_cdl_comment(const char* at, const char* end) {
  if (end - at < 3 || at[0] != '*' || at[1] != '.') return false;
  const char* p = at + 2;
  while (p != end && p - at < 20 && ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z')) ++p;
  const bool ends_word = p == end || *p == ' ' || *p == '\t' || *p == '\r' || *p == '\n' || *p == '=';
  return ends_word && is_cdl_comment({at, static_cast<size_t>(p - at)});
}

}  // namespace gridiron::grammar
