// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netlist/values/scope.hpp"

namespace gridiron {

/// Where a file has a `.lib NAME` that begins no section, as no .endl ends it, but names a file to read; ascending.
/// `never_sections`: all of them, as in PSpice and LTspice. Internal to netlist/.
std::vector<uint64_t> whole_libraries(const File& file, bool never_sections);

/// The sections of a library, with what whole_libraries() gives of it.
std::vector<std::string> sections_of(const File& file, const std::vector<uint64_t>& whole);

/// Thrown where a library lacks the section that a card reads; has those that there are.
struct MissingSection {
  std::vector<std::string> sections;
};

/// Errors: InputError, where a section is open.
void require_endl(const File& file, const StructureMark* open_section);

/// Errors: InputError, where the .endl at `offset` ends no section, or another one.
void require_open(const File& file, const StructureMark* open_section, const LibSectionEnd& end, uint64_t offset);

/// The end of the last line of the card at `offset`.
uint64_t end_of_card(const File& file, uint64_t offset);

/// What cards of a library of which another section is read are.
CardKind left_out(const StructureMark* open_section, bool reads_section);

/// Tells what a file has that is not read, being of a section or outside of all of them.
void report_unread(Deck& deck, size_t file);

}  // namespace gridiron
