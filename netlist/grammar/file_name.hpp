// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"

namespace gridiron::grammar {

/// The text of one line from `at` up to a blank, or between quotes.
inline ast::Text file_name(const char*& at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  const char quote = at != end && (*at == '"' || *at == '\'') ? *at : '\0';
  if (quote != '\0') ++at;
  const char* first = at;
  while (at != end && *at != '\n' && (quote != '\0' ? *at != quote : !is_blank(*at))) ++at;
  const ast::Text text(first, static_cast<size_t>(at - first));
  if (quote != '\0') {
    if (at == end || *at != quote) throw SyntaxError(first, "a closing quote");
    ++at;
  }
  return text;
}

}  // namespace gridiron::grammar
