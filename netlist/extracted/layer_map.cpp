// SPDX-License-Identifier: Apache-2.0
#include "netlist/extracted/layer_map.hpp"

#include <algorithm>

#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kKeyword = "layer_map";

std::string_view take_word_of_map(std::string_view& rest) {
  while (!rest.empty() && grammar::is_blank(rest.front())) rest.remove_prefix(1);
  size_t length = 0;
  while (length < rest.size() && !grammar::is_blank(rest[length])) ++length;
  const std::string_view word = rest.substr(0, length);
  rest.remove_prefix(length);
  return word;
}

/// What stands behind `*` or `*|`; nothing of a line that is no such comment.
std::string_view comment_of(std::string_view line) {
  while (!line.empty() && grammar::is_blank(line.front())) line.remove_prefix(1);
  if (line.empty() || line.front() != '*') return {};
  line.remove_prefix(line.size() > 1 && line[1] == '|' ? 2 : 1);
  while (!line.empty() && grammar::is_blank(line.front())) line.remove_prefix(1);
  return line;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_layer_map(std::string_view comment) {
  return same_name(comment.substr(0, kKeyword.size()), kKeyword) &&
         (comment.size() == kKeyword.size() || grammar::is_blank(comment[kKeyword.size()]) ||
          comment[kKeyword.size()] == '\n');
}

bool begins_layer_map(const char* at, const char* end) {
  for (++at; at != end && (*at == '|' || grammar::is_blank(*at));) ++at;
  return at != end && (*at | 0x20) == 'l' && is_layer_map({at, static_cast<size_t>(end - at)});
}

bool LayerMaps::read(size_t file, std::string_view text, uint64_t offset) {
  std::string_view rest = text.substr(offset);
  const auto take_line = [&rest] {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    return line;
  };
  Map& map = of_file_[file];
  const auto take_entry = [&map](std::string_view words) {
    const std::string_view number = take_word_of_map(words), name = take_word_of_map(words);
    if (!is_number(number) || name.empty()) return false;
    map.emplace(number, name);
    return true;
  };
  bool has_any = take_entry(comment_of(take_line()).substr(kKeyword.size()));
  while (take_entry(comment_of(take_line()))) has_any = true;
  return has_any;
}

void LayerMaps::finish() {
  const auto has_table = [](const Map& map) { return !map.empty(); };
  if (std::ranges::count_if(of_file_, has_table) == 1) only_ = *std::ranges::find_if(of_file_, has_table);
}

}  // namespace gridiron
