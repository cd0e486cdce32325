// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlist/ledger.hpp"

namespace gridiron {

/// One line if every card is used or harmless; else another for each file with cards that were skipped.
/// `card`: what they are called.
std::string ledger_lines(const Ledger& ledger, const char* card = "card");

/// A line per file with all of its rows.
std::string ledger_by_file(const Ledger& ledger);

}  // namespace gridiron
