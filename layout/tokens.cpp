// SPDX-License-Identifier: Apache-2.0
#include "layout/tokens.hpp"

#include <fmt/format.h>

#include <cmath>

#include "netlist/values/spice_number.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error.hpp"

namespace gridiron::layout {

Tokens::Tokens(const SourceText& source)
    : source_(&source), begin_(source.text().data()), end_(begin_ + source.text().size()) {
  next_ = end_ - without_byte_order_mark(source.text()).size();
  advance();
}

const char* Tokens::end_of_string(const char* mark) const {
  for (const char* p = mark + 1; p != end_; ++p) {
    if (*p == '"') return p + 1;
    if (*p == '\\' && p + 1 != end_) ++p;
  }
  fail(static_cast<size_t>(mark - begin_), "the string that begins here has no end; close it with a quotation mark");
}

void Tokens::refuse_control_characters() const {
  for (const char c : word_)
    if (static_cast<unsigned char>(c) < ' ')
      fail(offset_, fmt::format("a name with a line break or control character in it, {}; take it out", shown(word_)));
}

void Tokens::expect(std::string_view word, std::string_view where) {
  if (!accept(word)) fail_expected(fmt::format("{:?} in {}", word, where));
}

void Tokens::skip_statement(std::string_view where) {
  while (!is(';')) {
    // A free text, as HISTORY has, may have any words.
    if (at_end() || (ends_with_semicolon() && where != "HISTORY"))
      fail_expected(fmt::format("';' at the end of {}", where));
    advance();
  }
  advance();
}

void Tokens::skip_block(std::string_view keyword, std::string_view name, size_t begin) {
  for (;;) {
    if (at_end()) fail(begin, fmt::format("{} has no END {}; is the file cut off?", keyword, name));
    if (accept("END") && accept(name)) return;
    if (!is("END")) advance();
  }
}

void Tokens::skip_extension(size_t begin) {
  while (!accept("ENDEXT")) {
    if (at_end()) fail(begin, "BEGINEXT has no ENDEXT; is the file cut off?");
    advance();
  }
}

double Tokens::number(std::string_view what) {
  double value = 0;
  const char* end = word_.data() + word_.size();
  if (at_end() || parse_decimal(word_.data(), end, value) != end || !std::isfinite(value)) fail_expected(what);
  advance();
  return value;
}

double Tokens::um(std::string_view what) {
  constexpr double kLongest = 500'000;  // to_dbu() refuses less than that on a finer grid
  const size_t where = offset_;
  const double value = number(what);
  if (std::abs(value) > kLongest)
    fail(where,
         fmt::format("{} of {} um is out of range; a library has lengths in um, up to {}", what, value, kLongest));
  return value;
}

Dbu Tokens::other_dbu(std::string_view what) {
  const size_t where = offset_;
  const double value = std::round(number(what));
  if (!(std::abs(value) < static_cast<double>(kFarthest)))
    fail(where, fmt::format("{} of {} database units is out of range; the largest is {}", what, value, kFarthest - 1));
  return static_cast<Dbu>(value);
}

int64_t Tokens::count(std::string_view what) {
  const size_t where = offset_;
  const Dbu value = dbu(what);
  if (value < 1) fail(where, fmt::format("expected {} from 1 on, not {}", what, value));
  return value;
}

Dbu Tokens::other_coordinate(const Dbu* last) {
  if (const size_t end = word_.find(')'); end != std::string_view::npos && end > 0) {  // "(0 0)", as some write it
    word_ = word_.substr(0, end);
    next_ = begin_ + offset_ + end;
  }
  if (!is('*')) return dbu("a coordinate");
  if (!last) fail(offset_, "'*' repeats a coordinate, but there is no point before this one; write a number");
  advance();
  return *last;
}

Point Tokens::point(const Point* last, Dbu* extension) {
  open("a point, like ( 0 100 )");
  Point point;
  point.x = coordinate(last ? &last->x : nullptr);
  point.y = coordinate(last ? &last->y : nullptr);
  if (extension) *extension = is(')') || word_.starts_with(')') ? 0 : coordinate(nullptr);
  close("')' behind the coordinates of a point");
  return point;
}

void Tokens::fail(size_t offset, const std::string& message) const {
  throw InputError(fmt::format("{}: {}", source_->describe(offset), message));
}

void Tokens::fail_expected(std::string_view what) const {
  if (at_end()) fail(offset_, fmt::format("expected {}, but the file ends here; is it cut off?", what));
  fail(offset_, fmt::format("expected {}, not {}{}", what, shown(word_),
                            ends_with_semicolon() ? "; put a blank before the semicolon" : ""));
}

void Tokens::fail_unknown(std::string_view where) const {
  if (at_end()) fail(offset_, fmt::format("the file ends inside {}; is it cut off?", where));
  fail(offset_,
       fmt::format("{} is not known in {}; keywords are those of LEF and DEF 5.8, in capitals", shown(word_), where));
}

std::string shown(std::string_view word) {
  constexpr size_t kLongest = 60;
  if (word.size() <= kLongest) return fmt::format("{:?}", word);
  return fmt::format("{:?}...", word.substr(0, kLongest));
}

std::string plain_name(std::string_view word) {
  std::string name;
  name.reserve(word.size());
  for (size_t k = 0; k < word.size(); ++k) {
    if (word[k] == '\\' && k + 1 < word.size()) ++k;
    name += word[k];
  }
  return name;
}

}  // namespace gridiron::layout
