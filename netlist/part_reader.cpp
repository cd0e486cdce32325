// SPDX-License-Identifier: Apache-2.0
#include "netlist/part_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "netlist/scope.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using Files = std::vector<std::shared_ptr<const SourceText>>;

struct Cut {
  std::size_t file, offset;
};

/// Where part `part` begins.
Cut start_of(const Files& files, int part, int parts) {
  std::size_t bytes = 0;
  for (const auto& file : files) bytes += file->text().size();
  std::size_t at = bytes / static_cast<std::size_t>(parts) * static_cast<std::size_t>(part);
  for (std::size_t f = 0; f < files.size() && part < parts; ++f) {
    const std::string_view text = files[f]->text();
    if (at < text.size()) return {f, at == 0 ? 0 : card_boundary(text, at)};
    at -= text.size();
  }
  return {files.size(), 0};
}

}  // namespace

NetlistPart::NetlistPart(const Files& files, int part, int parts, ReadOptions options)
    : deck_(std::make_unique<Deck>()) {
  options.mentions = true;
  const Cut begin = start_of(files, part, parts), end = start_of(files, part + 1, parts);
  for (const auto& text : files) deck_->files.push_back({text, {}});
  for (std::size_t f = begin.file; f < files.size() && f <= end.file && !has_end_; ++f) {
    const std::size_t first = f == begin.file ? begin.offset : 0;
    const std::size_t last = f == end.file ? end.offset : files[f]->text().size();
    deck_->files[f].chunks = parse_range(*files[f], first, std::max(first, last), part == 0 && f == 0, options);
    take_file(f);
  }
}

void NetlistPart::take_file(std::size_t index) {
  File& file = deck_->files[index];
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
    deck_->top.pieces.push_back({index, c, {}, chunk.counts()});
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
  return std::ranges::any_of(deck_->files, [name](const File& file) {
    return std::ranges::any_of(file.chunks, [name](const ParsedChunk& chunk) {
      const std::vector<NameKey> wanted = chunk.mentions.keys_of(name);
      return std::ranges::find_first_of(chunk.mentions.keys(), wanted) != chunk.mentions.keys().end();
    });
  });
}

NetlistPart::Cards NetlistPart::take(const std::function<bool(std::string_view)>& elsewhere) {
  decide_first_line(*deck_, elsewhere);
  deck_->mentions.emplace();
  Circuit circuit = flatten(*deck_);
  return {std::move(circuit), *std::move(deck_->mentions)};
}

}  // namespace gridiron
