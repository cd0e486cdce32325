// SPDX-License-Identifier: Apache-2.0
#include "netlist/waves/pwl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "netlist/values/spice_number.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

bool separates(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'; }

/// Reads the pairs of one file.
class PwlText {
 public:
  PwlText(const SourceText& source, Quantity what, Dialect dialect) : source_(source), what_(what), dialect_(dialect) {}

  std::vector<double> read() {
    std::string_view rest = without_byte_order_mark(source_.text());
    while (!rest.empty()) {
      const size_t length = std::min(rest.find('\n'), rest.size());
      read_line(rest.substr(0, length));
      rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    if (numbers_.empty())
      throw input_error("{}: no points in this file; give a time and a value per line", source_.path());
    return std::move(numbers_);
  }

 private:
  void read_line(std::string_view line) {
    const char* at = line.data();
    const char* const end = at + line.size();
    const size_t before = numbers_.size();
    for (;;) {
      while (at != end && separates(*at)) ++at;
      if (at == end || *at == '*' || *at == '#' || *at == '$') break;
      at = read_number(at, end);
    }
    if ((numbers_.size() - before) % 2 != 0)
      fail(line.data(), fmt::format("{} numbers in this line of a waveform; a line has pairs of time and value",
                                    numbers_.size() - before));
  }

  const char* read_number(const char* at, const char* end) {
    const bool is_time = numbers_.size() % 2 == 0;
    const char* word_end = at;
    while (word_end != end && !separates(*word_end)) ++word_end;
    const std::string_view word(at, static_cast<size_t>(word_end - at));
    if (is_time && word.starts_with('+'))
      fail(at, "a time with '+' counts from the point before it in LTspice; write all times from 0");
    double digits = 0;
    const char* const letters = parse_decimal(at, word_end, digits);
    if (!letters || end_of_letters(letters, word_end) != word_end)
      fail(at, fmt::format("expected {}, not {:?}; a line reads like 1n,2m, and a header has to begin with '*'",
                           phrase_of(is_time ? Quantity::time : what_), word));
    try {
      numbers_.push_back(
          scaled(digits, {letters, static_cast<size_t>(word_end - letters)}, is_time ? Quantity::time : what_, dialect_)
              .value);
    } catch (const UnitError& e) {
      fail(letters, e.what());
    }
    if (!std::isfinite(numbers_.back())) fail(at, "this number is beyond what a double holds");
    return word_end;
  }

  [[noreturn]] void fail(const char* where, const std::string& message) const {
    throw input_error("{}: {}", source_.describe(static_cast<uint64_t>(where - source_.text().data())), message);
  }

  const SourceText& source_;
  Quantity what_;
  Dialect dialect_;
  std::vector<double> numbers_;
};

}  // namespace

const std::vector<double>& PwlFiles::read(const std::string& name, const std::string& from, Quantity what,
                                          Dialect dialect, const std::function<void(const std::string&)>& opens) {
  fs::path path(name);
  if (path.is_relative() && !from.starts_with('<')) path = fs::path(from).parent_path() / path;
  const auto [known, is_new] = known_.try_emplace({path.string(), what});
  if (is_new) {
    if (opens) opens(path.string());
    const auto text = SourceText::open(path.string(), true);
    known->second = PwlText(*text, what, dialect).read();
    if (std::ranges::find(texts_, text->path(), &SourceText::path) == texts_.end()) texts_.push_back(text);
  }
  return known->second;
}

}  // namespace gridiron
