// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "layout/expansion.hpp"
#include "layout/tokens.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron::layout {

inline constexpr size_t kEndOfText = std::numeric_limits<size_t>::max();

/// Where the line `END name` begins, behind a line that ends a statement; kEndOfText if there is none from `from` on.
size_t find_section_end(std::string_view text, size_t from, std::string_view name);

/// Passes over a section that begins at `begin`, its END included, whatever it holds. Errors: InputError.
void skip_section(Tokens& tokens, std::string_view name, size_t begin);

/// `begin`, and then the first line in every `piece` of begin … end that starts with one of these words: the place of
/// the word.
std::vector<size_t> borders(std::string_view text, size_t begin, size_t end, size_t piece,
                            std::span<const std::string_view> words);

/// Reads a section in parts that begin at `begins`, on all threads. read(tokens, end, expansion) returns a part: it
/// reads statements up to the first border at or behind `end`, where tokens then stands. What looks like a border may
/// be none (a string may hold anything), so the parts are kept only if each one ends where the next one begins and
/// fits(part, next) holds. Otherwise, and to find the first error of the text, one thread reads the section again as a
/// whole. Errors: InputError.
template <class Read, class Fits>
auto read_in_parts(Tokens& tokens, const std::vector<size_t>& begins, int64_t most_shapes, Read&& read, Fits&& fits) {
  using Part = decltype(read(tokens, size_t{}, std::declval<Expansion&>()));
  std::vector<Part> parts(begins.size());
  std::vector<size_t> stopped(begins.size());
  const auto count = static_cast<int64_t>(begins.size());
  if (count > 1) {
    bool is_whole = true;
    try {
      Expansion expansion(most_shapes);
      parallel_tasks(count, [&](int64_t k) {
        Tokens own = tokens;
        own.seek(begins[k]);
        parts[k] = read(own, k + 1 < count ? begins[k + 1] : kEndOfText, expansion);
        stopped[k] = own.offset();
      });
      for (int64_t k = 0; k + 1 < count; ++k)
        is_whole = is_whole && stopped[k] == begins[k + 1] && fits(parts[k], parts[k + 1]);
    } catch (const InputError&) {
      is_whole = false;
    }
    if (is_whole) {
      tokens.seek(stopped.back());
      return parts;
    }
    parts = std::vector<Part>(1);
  }
  Expansion expansion(most_shapes);
  parts[0] = read(tokens, kEndOfText, expansion);
  return parts;
}

}  // namespace gridiron::layout
