// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/top_level_text.hpp"

#include <algorithm>
#include <iterator>

namespace gridiron {

TopLevelText::TopLevelText(const Deck& deck) : files_(deck.files.size()) {
  for (const auto& [name, scope] : deck.top.definitions) {
    const uint64_t begin = scope->opened.offset;
    files_[scope->opened.file].subcircuits.push_back({begin, begin + scope->bytes, scope->is_instantiated});
  }
  for (FileText& file : files_) std::ranges::sort(file.subcircuits, {}, &Subcircuit::begin);
  std::vector<std::vector<size_t>> included(files_.size());
  for (size_t f = 0; f < files_.size(); ++f) {
    const File& file = deck.files[f];
    for (const Origin& around : file.around)
      if (const Where outside = where(around.file, around.offset); outside != Where::top) files_[f].whole = outside;
    if (file.range.is_included) included[file.range.card.file].push_back(f);
  }
  for (size_t f = 0; f < files_.size(); ++f)
    if (!deck.files[f].range.is_included) add_file(deck, included, f);
}

void TopLevelText::add_file(const Deck& deck, const std::vector<std::vector<size_t>>& included, size_t file) {
  uint64_t begin = 0;
  for (const size_t inner : included[file]) {
    const uint64_t end = deck.files[inner].range.card.offset;
    parts_.push_back({file, begin, end});
    add_file(deck, included, inner);
    begin = end;
  }
  parts_.push_back({file, begin, deck.files[file].text->text().size()});
}

TopLevelText::Where TopLevelText::where(size_t file, uint64_t offset) const {
  const auto& [whole, subcircuits] = files_[file];
  if (whole != Where::top || subcircuits.empty()) return whole;
  const auto after = std::ranges::upper_bound(subcircuits, offset, {}, &Subcircuit::begin);
  if (after == subcircuits.begin() || offset >= std::prev(after)->end) return Where::top;
  return std::prev(after)->is_used ? Where::subcircuit : Where::unused_subcircuit;
}

}  // namespace gridiron
