// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"

namespace gridiron::grammar {

inline bool begins_name(char c) { return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

/// A value, or the name of a parameter: a word that is not the key of what follows.
struct bare_value : terminal<bare_value, ast::Value> {
  static std::string what() { return value::what(); }
  static bool read(Iterator& at, Iterator last, ast::Value& v) {
    if (value::read(at, last, v)) return true;
    Iterator p = at;
    ast::Text text;
    if (p == last || !begins_name(*p) || !word::read(p, last, text) || is_source_key(text)) return false;
    Iterator next = p;
    x3::unused_type unused;
    between_tokens().parse(next, last, unused, unused, unused);
    if (next != last && (*next == '=' || *next == '(')) return false;
    v = {0, text, {}};
    at = p;
    return true;
  }
};

}  // namespace gridiron::grammar
