// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace gridiron {

/// A comment of a DSPF file: `*|S (VDD:1 10.5 2)`, `*|I (XI1:VDD XI1 VDD I 0.1PF 10.5 2)`, `*|P (VDD X 0 0 2)`.
struct DspfComment {
  enum class Kind {
    none,       ///< one of another kind, that tells nothing of nodes: `*|NET`, `*|DELIMITER` …
    malformed,  ///< one that begins like one of these and cannot be read
    nodes,
  };
  struct Node {
    std::string_view name;
    std::string_view instance, pin;  ///< of `*|I` only
    double x, y;                     ///< as written; NaN if not told
    bool is_in_um;                   ///< WrittenPlace
  };
  Kind kind = Kind::none;
  std::vector<Node> nodes;
  std::string_view layer;  ///< `$lvl=` behind it
};

/// Reads the comment that begins with the `*|` at `at` into `out`, whose room is used again. Returns the end of its
/// line, which is the newline or `end`. Internal to netlist/.
const char* read_dspf_comment(const char* at, const char* end, DspfComment& out);

/// The same of the usual one, `*|S (NODE X Y)` with one blank between each; null for all others. Text that ends with a
/// newline.
const char* read_plain_place(const char* at, const char* end, DspfComment::Node& out);

}  // namespace gridiron
