// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/part_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "netlist/deck/deck_ledger.hpp"
#include "netlist/deck/foreign_text.hpp"
#include "netlist/extracted/cdl_cards.hpp"
#include "netlist/values/scope.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using Files = std::vector<std::shared_ptr<const SourceText>>;

struct Cut {
  size_t file, offset;
};

/// Where part `part` begins.
Cut start_of(const Files& files, int part, int parts) {
  size_t bytes = 0;
  for (const auto& file : files) bytes += file->text().size();
  size_t at = bytes / static_cast<size_t>(parts) * part;
  for (size_t f = 0; f < files.size() && part < parts; ++f) {
    const std::string_view text = files[f]->text();
    if (at < text.size()) return {f, at == 0 ? 0 : card_boundary(text, at)};
    at -= text.size();
  }
  return {files.size(), 0};
}

}  // namespace

NetlistPart::NetlistPart(const Files& files, int part, int parts, ReadOptions options)
    : deck_(std::make_unique<Deck>()), failures_(files.size()) {
  options.mentions = true;
  deck_->dialect = options.dialect;
  deck_->opens = options.opens;
  const Cut begin = start_of(files, part, parts), end = start_of(files, part + 1, parts);
  for (const auto& text : files) {
    refuse_foreign(*text);
    deck_->files.push_back({text, {}});
    deck_->ledger.files.push_back({text->path(), {}});
  }
  for (size_t f = begin.file; f < files.size() && f <= end.file; ++f) {
    const size_t first = f == begin.file ? begin.offset : 0;
    const size_t last = f == end.file ? end.offset : files[f]->text().size();
    deck_->files[f].chunks = parse_range(*files[f], first, std::max(first, last), part == 0 && f == 0, options);
    try {
      take_file(f);
    } catch (const InputError&) {
      failures_[f] = std::current_exception();
    }
  }
}

void NetlistPart::take_file(size_t index) {
  File& file = deck_->files[index];
  Ledger::File& ledger = deck_->ledger.files[index];
  bool has_end = false;
  for (size_t c = 0; c < file.chunks.size() && !has_end; ++c) {
    const ParsedChunk& chunk = file.chunks[c];
    const auto refuse = [&](uint64_t offset) {
      const uint64_t condition = chunk.conditions.empty() ? offset : chunk.conditions.front().offset;
      file.fail(
          std::min(offset, condition),
          "several processes read flat decks only, without .include, .subckt, X, .param, .func, .if, .global, .lib, "
          ".model, .temp, E, F, G, H and K; run one process, or write a flat deck");
    };
    for (const StructureMark& mark : chunk.marks) {
      if (const auto* tran = std::get_if<ast::Tran>(&mark.card)) {
        enter(ledger, CardKind::tran, 1);
        deck_->tran.emplace_back(*tran, Origin{index, mark.offset});
        continue;
      }
      has_end = std::holds_alternative<EndCard>(mark.card);
      if (!has_end || !chunk.conditions.empty()) refuse(mark.offset);
      enter(ledger, CardKind::end, 1);
      if (const auto [count, first] = lines_after_end(file.text->text(), mark.offset); count > 0) {
        enter(ledger, CardKind::after_end, count);
        deck_->findings.push_back(after_end_finding(*file.text, count, first));
      }
    }
    if (!chunk.conditions.empty()) refuse(chunk.conditions.front().offset);
    if (!chunk.failures.empty()) file.fail(chunk.failures[0].offset, chunk.failures[0].message);
    deck_->top.pieces.push_back({index, c, {}, chunk.counts()});
    for (const Kind k : kEveryKind) enter(ledger, static_cast<CardKind>(k), chunk.counts()[k]);
    enter_cards(ledger, chunk);
    if (has_end) file.chunks.resize(c + 1);
  }
  if (has_end) ended_.push_back(index);
  if (const SkippedBlock none, &open = file.chunks.empty() ? none : file.chunks.back().open_block;
      open.directive && !has_end)
    file.fail(open.offset, fmt::format("the block from {} to {} is too long for several processes; run one",
                                       open.directive->word, open.directive->block_end));
}

void NetlistPart::drop(size_t index) {
  failures_[index] = nullptr;
  deck_->files[index].chunks.clear();
  deck_->ledger.files[index] = {deck_->ledger.files[index].path, {}};
  std::erase_if(deck_->top.pieces, [index](const Piece& piece) { return piece.file == index; });
}

void NetlistPart::require_no_failure() const {
  for (const std::exception_ptr& failure : failures_)
    if (failure) std::rethrow_exception(failure);
}

NetlistPart::~NetlistPart() = default;
NetlistPart::NetlistPart(NetlistPart&&) noexcept = default;

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
  require_cdl_that_reads_alike(*deck_);
  deck_->mentions.emplace();
  Circuit circuit = flatten(*deck_);
  return {std::move(circuit), *std::move(deck_->mentions)};
}

}  // namespace gridiron
