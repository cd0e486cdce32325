// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "netlist/deck/deck.hpp"
#include "netlist/extracted/dspf_comment.hpp"

namespace gridiron {

/// Reads the comments of a chunk that have a meaning: `* layer:`, `* nominal:`, `* dbu:` or `* Netlist for`, and those
/// of DSPF, `*|…`. Those that begin like these and cannot be read are noted as odd. Internal to netlist/.
class CommentReader {
 public:
  CommentReader(const ReadOptions& options, ParsedChunk& chunk) : reads_nodes_(!options.mentions), chunk_(chunk) {}

  /// The comment at `at`, whose offset in its file is `offset`. Returns a place on its line, or the end of that.
  const char* read(const char* at, const char* end, uint64_t offset);

 private:
  const char* read_of_dspf(const char* at, const char* end, uint64_t offset);
  void note_layer_map(uint64_t offset);

  const bool reads_nodes_;
  ParsedChunk& chunk_;
  DspfComment comment_;
};

}  // namespace gridiron
