// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/section_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "netlist/deck/include_path.hpp"
#include "netlist/grammar/card.hpp"
#include "support/plural.hpp"

namespace gridiron {

namespace fs = std::filesystem;

std::vector<uint64_t> whole_libraries(const File& file, bool never_sections) {
  std::vector<const StructureMark*> open;
  std::vector<uint64_t> whole;
  const auto take_from = [&](size_t first) {
    for (size_t i = first; i < open.size(); ++i) whole.push_back(open[i]->offset);
    open.resize(first);
  };
  const auto section = [](const StructureMark* mark) { return std::get<ast::Include>(mark->card).section; };
  for (const ParsedChunk& chunk : file.chunks)
    for (const StructureMark& mark : chunk.marks) {
      if (const auto* lib = std::get_if<ast::Include>(&mark.card); lib && lib->file.empty()) {
        open.push_back(&mark);
      } else if (const auto* end = std::get_if<LibSectionEnd>(&mark.card); end && !never_sections && !open.empty()) {
        // One without a name ends the last one that is no file; else, or with an unknown name, the last one.
        const auto named = std::find_if(open.rbegin(), open.rend(), [&](const StructureMark* begin) {
          return end->names.empty() ? !fs::exists(path_from(file.text->path(), section(begin)))
                                    : same_name(end->names[0], section(begin));
        });
        take_from(named == open.rend() ? open.size() : static_cast<size_t>(open.rend() - named));
        open.pop_back();
      }
    }
  take_from(0);
  std::ranges::sort(whole);
  return whole;
}

std::vector<std::string> sections_of(const File& file, const std::vector<uint64_t>& whole) {
  std::vector<std::string> names;
  for (const ParsedChunk& chunk : file.chunks)
    for (const StructureMark& mark : chunk.marks)
      if (const auto* lib = std::get_if<ast::Include>(&mark.card);
          lib && lib->file.empty() && !std::ranges::binary_search(whole, mark.offset))
        names.emplace_back(lib->section);
  return names;
}

void require_endl(const File& file, const StructureMark* open_section) {
  if (!open_section) return;
  file.fail(open_section->offset, fmt::format("section '.lib {}' is still open at the next one; end it with .endl",
                                              std::get<ast::Include>(open_section->card).section));
}

void require_open(const File& file, const StructureMark* open_section, const LibSectionEnd& end, uint64_t offset) {
  if (!open_section) file.fail(offset, ".endl without .lib before it; remove it");
  const ast::Text name = std::get<ast::Include>(open_section->card).section;
  if (!end.names.empty() && !same_name(end.names[0], name))
    file.fail(offset, fmt::format(".endl {} while .lib {} is open; end that one first", end.names[0], name));
}

uint64_t end_of_card(const File& file, uint64_t offset) {
  const std::string_view text = file.text->text();
  const char* at = text.data() + offset;
  grammar::skip_card(at, text.data() + text.size());
  return static_cast<uint64_t>(at - text.data());
}

CardKind left_out(const StructureMark* open_section, bool reads_section) {
  if (!reads_section) return CardKind::uncalled_section;
  return open_section ? CardKind::other_section : CardKind::outside_section;
}

void report_unread(Deck& deck, size_t file) {
  const CardClass outside = class_of(CardKind::outside_section), uncalled = class_of(CardKind::uncalled_section);
  for (const Ledger::Row& row : deck.ledger.files[file].rows)
    if (row.what == uncalled.name)
      deck.findings.push_back({true, "section-not-read",
                               fmt::format("{} between .lib and .endl {} not read: a section is read by .lib FILE "
                                           "SECTION only",
                                           counted(row.count, "card"), row.count == 1 ? "is" : "are"),
                               deck.files[file].text->path()});
    else if (row.what == outside.name)
      deck.findings.push_back({true, "outside-section",
                               fmt::format("{} outside of every section {} not read; put it into one, or read the "
                                           "file by .include",
                                           counted(row.count, "card"), row.count == 1 ? "is" : "are"),
                               deck.files[file].text->path()});
}

}  // namespace gridiron
