// SPDX-License-Identifier: Apache-2.0
#include "layout/def/sections.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

namespace gridiron::layout {
namespace {

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether the last word of the text, comments left out, is a semicolon.
bool ends_statement(std::string_view text) {
  for (;;) {
    text = without_blanks_behind(text);
    const size_t line = text.rfind('\n') + 1;  // npos + 1 == 0
    size_t comment = text.find('#', line);
    while (comment != std::string_view::npos && comment > line && !is_blank(text[comment - 1]))
      comment = text.find('#', comment + 1);
    if (comment == std::string_view::npos) break;
    text = text.substr(0, comment);
  }
  return text == ";" || (text.ends_with(';') && is_blank(text[text.size() - 2]));
}

/// The first place of the words `END name` in text[from, to) at which a section ends.
size_t find_end(std::string_view text, size_t from, size_t to, std::string_view words) {
  for (size_t at = from; at < to; ++at) {
    const void* found =
        ::memmem(text.data() + at, std::min(text.size(), to + words.size()) - at, words.data(), words.size());
    if (!found) break;
    at = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    size_t line = at;
    while (line > 0 && text[line - 1] != '\n' && is_blank(text[line - 1])) --line;
    const size_t behind = at + words.size();
    if ((line == 0 || text[line - 1] == '\n') && (behind == text.size() || is_blank(text[behind])) &&
        ends_statement(text.substr(0, line)))
      return at;
  }
  return kEndOfText;
}

}  // namespace

size_t find_section_end(std::string_view text, size_t from, std::string_view name) {
  constexpr size_t kWindow = size_t{4} << 20;
  const std::string words = fmt::format("END {}", name);
  const auto windows = static_cast<size_t>(std::max(1, omp_get_max_threads()));
  std::vector<size_t> found(windows);
  // Most sections end soon: one thread looks first.
  const size_t soon = std::min(text.size(), from + kWindow);
  if (const size_t end = find_end(text, std::min(from, soon), soon, words); end != kEndOfText) return end;
  for (size_t first = soon; first < text.size(); first += windows * kWindow) {
    parallel_tasks(static_cast<int64_t>(windows), [&](int64_t k) {
      const size_t begin = std::min(text.size(), first + static_cast<size_t>(k) * kWindow);
      found[static_cast<size_t>(k)] = find_end(text, begin, std::min(text.size(), begin + kWindow), words);
    });
    if (const size_t end = std::ranges::min(found); end != kEndOfText) return end;
  }
  return kEndOfText;
}

void skip_section(Tokens& tokens, std::string_view name, size_t begin) {
  const size_t end = find_section_end(tokens.source().text(), tokens.offset(), name);
  if (end != kEndOfText) tokens.seek(end);
  tokens.skip_block(name, name, begin);  // END may stand behind the last statement, on its line
}

std::vector<size_t> borders(std::string_view text, size_t begin, size_t end, size_t piece,
                            std::span<const std::string_view> words) {
  constexpr size_t kDeepest = 100;  // columns that a line is indented
  std::vector<size_t> found = {begin};
  text = text.substr(0, end);
  for (size_t at = begin + piece; at < text.size(); at += piece) {
    const std::string_view window = text.substr(0, at + piece);
    for (size_t line = window.find('\n', at); line != std::string_view::npos; line = window.find('\n', line + 1)) {
      const std::string_view start = text.substr(line + 1, kDeepest);
      const size_t indent = std::min(start.find_first_not_of(" \t"), start.size());
      const std::string_view rest = text.substr(line + 1 + indent);
      if (std::ranges::none_of(words, [rest](std::string_view w) { return rest.starts_with(w); })) continue;
      found.push_back(line + 1 + indent);
      break;
    }
  }
  return found;
}

}  // namespace gridiron::layout
