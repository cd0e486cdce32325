// SPDX-License-Identifier: Apache-2.0
#include "netlist/reader.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <mutex>

#include "netlist/grammar/primitives.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr size_t kSmallestChunk = size_t{256} << 10;
constexpr size_t kLargestChunk = size_t{1} << 20;

/// A block may be open at the end of the file only if .end ends it.
void refuse_open_block(ParsedChunk& last) {
  const auto& [directive, offset, depth] = last.open_block;
  if (directive && directive->block_end != ".end")
    last.failures.push_back({offset, fmt::format("{} has no {}; add it", directive->word, directive->block_end)});
}

/// Whether a text ends with the `\\` that the next line continues.
bool ends_with_backslashes(std::string_view text) {
  while (!text.empty() && grammar::is_blank(text.back())) text.remove_suffix(1);
  return text.ends_with("\\\\");
}

}  // namespace

size_t card_boundary(std::string_view text, size_t from) {
  while (from < text.size()) {
    const size_t newline = text.find('\n', from);
    if (newline == std::string_view::npos) return text.size();
    size_t p = newline + 1;
    while (p < text.size() && grammar::is_blank(text[p])) ++p;
    if (ends_with_backslashes(text.substr(0, newline))) {
      from = newline + 1;
      continue;
    }
    if (p < text.size() && text[p] != '+' && !grammar::is_comment_sign(text[p]) && text[p] != '\n') return newline + 1;
    from = newline + 1;
  }
  return text.size();
}

std::vector<ParsedChunk> parse_text(const SourceText& source, bool main_file, const ReadOptions& options) {
  std::vector<ParsedChunk> chunks = parse_range(source, 0, source.text().size(), main_file, options);
  if (!chunks.empty()) refuse_open_block(chunks.back());
  return chunks;
}

std::vector<ParsedChunk> parse_range(const SourceText& source, size_t begin, size_t end, bool main_file,
                                     const ReadOptions& options) {
  const std::string_view text = source.text().substr(0, end);
  const size_t bytes = end - begin;
  const size_t threads = static_cast<size_t>(omp_get_max_threads());
  const size_t chunk_bytes = std::clamp(bytes / threads + 1, kSmallestChunk, kLargestChunk);
  std::vector<size_t> boundary{begin};
  while (boundary.back() < text.size())
    boundary.push_back(card_boundary(text, std::min(boundary.back() + chunk_bytes, text.size())));
  std::vector<ParsedChunk> chunks(boundary.size() - 1);
  std::mutex progress_mutex;
  size_t done = 0;
  parallel_tasks(std::ssize(chunks), [&](int64_t c) {
    chunks[c] = read_chunk(source, boundary[c], boundary[c + 1], options, main_file && c == 0);
    if (!options.progress) return;
    const std::scoped_lock lock(progress_mutex);
    done += boundary[c + 1] - boundary[c];
    options.progress(static_cast<int64_t>(done), static_cast<int64_t>(bytes));
  });
  // A chunk that begins within a block was read as if it began with a card.
  for (size_t c = 1; c < chunks.size(); ++c)
    if (const SkippedBlock& block = chunks[c - 1].open_block; block.directive)
      chunks[c] = read_chunk(source, boundary[c], boundary[c + 1], options, false, block);
  return chunks;
}

Circuit read_netlist(const std::string& path, const ReadOptions& options) {
  return read_netlist_files({path}, options);
}

Circuit read_netlist_files(const std::vector<std::string>& paths, const ReadOptions& options) {
  std::vector<std::shared_ptr<const SourceText>> files;
  for (const std::string& path : paths) {
    if (options.opens) options.opens(path);
    files.push_back(SourceText::open(path));
  }
  Circuit circuit = elaborate(std::move(files), options);
  for (const auto& file : circuit.files) file->place(0);  // makes its index of lines, which reads all of the text
  circuit.release_pages();
  return circuit;
}

Circuit read_netlist_text(std::string text, const std::string& name, const ReadOptions& options) {
  return elaborate({SourceText::from_string(std::move(text), name)}, options);
}

}  // namespace gridiron
