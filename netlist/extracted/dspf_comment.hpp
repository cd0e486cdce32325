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
  };
  Kind kind = Kind::none;
  std::vector<Node> nodes;
  std::string_view layer;  ///< `$lvl=` behind it
};

/// Of a line that begins with `*|`, without its end, into `out`, whose room is used again. Internal to netlist/.
void read_dspf_comment(std::string_view line, DspfComment& out);

}  // namespace gridiron
