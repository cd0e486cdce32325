// SPDX-License-Identifier: Apache-2.0
#include "netlist/part_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "netlist/scope.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

/// Where part `part` begins.
std::size_t start_of(std::string_view text, int part, int parts) {
  if (part == 0) return 0;
  if (part == parts) return text.size();
  return card_boundary(text, text.size() / static_cast<std::size_t>(parts) * static_cast<std::size_t>(part));
}

}  // namespace

NetlistPart::NetlistPart(std::shared_ptr<const SourceText> text, int part, int parts, const ReadOptions& options)
    : deck_(std::make_unique<Deck>()) {
  const std::size_t begin = start_of(text->text(), part, parts), end = start_of(text->text(), part + 1, parts);
  std::vector<ParsedChunk> chunks = parse_range(*text, begin, std::max(begin, end), part == 0, options);
  deck_->files.push_back({std::move(text), std::move(chunks)});
  File& file = deck_->files[0];
  for (std::size_t c = 0; c < file.chunks.size() && !has_end_; ++c) {
    const ParsedChunk& chunk = file.chunks[c];
    for (const StructureMark& mark : chunk.marks) {
      has_end_ = std::holds_alternative<EndCard>(mark.card);
      if (!has_end_)
        file.fail(mark.offset,
                  "several processes read flat decks only, without .include, .subckt, X, .param, .global, .lib, .model "
                  "and .temp; run one process, or write a flat deck");
    }
    if (!has_end_ && chunk.failure) file.fail(chunk.failure->offset, chunk.failure->message);
    deck_->top.pieces.push_back({0, c, {}, chunk.counts()});
    if (has_end_) file.chunks.resize(c + 1);
  }
  if (const SkippedBlock none, &open = file.chunks.empty() ? none : file.chunks.back().open_block;
      open.directive && !has_end_)
    file.fail(open.offset, fmt::format("the block from {} to {} is too long for several processes; run one",
                                       open.directive->word, open.directive->block_end));
}

NetlistPart::~NetlistPart() = default;
NetlistPart::NetlistPart(NetlistPart&&) noexcept = default;

bool NetlistPart::has_end() const { return has_end_; }

std::vector<std::string> NetlistPart::nodes_of_first_line() const { return gridiron::nodes_of_first_line(*deck_); }

bool NetlistPart::has_node(std::string_view name) const {
  const std::vector<ParsedChunk>& chunks = deck_->files[0].chunks;
  return std::ranges::any_of(chunks, [&](const ParsedChunk& chunk) { return chunk.names.find(name) >= 0; });
}

Circuit NetlistPart::take(const std::function<bool(std::string_view)>& elsewhere) {
  decide_first_line(*deck_, elsewhere);
  return flatten(*deck_);
}

}  // namespace gridiron
