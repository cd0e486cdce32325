// SPDX-License-Identifier: Apache-2.0
#include "netlist/grammar/cdl_comment.hpp"

#include <algorithm>
#include <iterator>

#include "netlist/names/name_table.hpp"

namespace gridiron::grammar {
namespace {

constexpr ast::Text kCdlComments[] = {"*.bipolar", "*.caparea", "*.capa",    "*.capval",   "*.connect",
                                      "*.dioarea", "*.diode",   "*.dioperi", "*.equation", "*.equiv",
                                      "*.global",  "*.ldd",     "*.mega",    "*.pin",      "*.pininfo",
                                      "*.ressize", "*.resi",    "*.resval",  "*.reverse",  "*.scale"};

}  // namespace

bool is_cdl_comment(ast::Text word) {
  return std::any_of(std::begin(kCdlComments), std::end(kCdlComments),
                     [word](ast::Text comment) { return same_name(comment, word); });
}

}  // namespace gridiron::grammar
