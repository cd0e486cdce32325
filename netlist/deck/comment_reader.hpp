// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "netlist/deck/deck.hpp"

namespace gridiron {

/// Reads the comment at `at`, if it is one with a meaning: `* layer:`, `* nominal:`, `* dbu:` or `* Netlist for`, and
/// notes where those of DSPF are, `*|…`, which extracted_notes.cpp reads when all nodes are known. One
/// that begins like these and cannot be read is noted as odd. `offset`: of `at` in its file. Internal to netlist/.
void read_comment(const char* at, const char* end, uint64_t offset, ParsedChunk& chunk);

}  // namespace gridiron
