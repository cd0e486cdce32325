// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "layout/geometry.hpp"
#include "netlist/source_text.hpp"

namespace gridiron::layout {

/// The words of a LEF or DEF file, one after the other. White space parts them; a word that begins with # starts a
/// comment up to the end of its line, and one that begins with a quotation mark goes on to the next such mark without a
/// backslash. Errors of all its functions: InputError with file:line:column.
class Tokens {
 public:
  explicit Tokens(const SourceText& source);

  const SourceText& source() const { return *source_; }

  /// The word that comes next, empty at the end of the text, and where it begins.
  std::string_view peek() const { return word_; }
  size_t offset() const { return offset_; }
  bool at_end() const { return word_.empty(); }
  bool is(std::string_view word) const { return word_ == word; }
  bool is(char c) const { return word_.size() == 1 && word_[0] == c; }

  /// The next word, which is passed over.
  std::string_view take() {
    const std::string_view word = word_;
    advance();
    return word;
  }
  bool accept(std::string_view word) {
    if (word_ != word) return false;
    advance();
    return true;
  }
  bool accept(char c) {
    if (!is(c)) return false;
    advance();
    return true;
  }
  /// `where`: what it belongs to, as "PIN VDD".
  void expect(std::string_view word, std::string_view where);
  /// A word that is no punctuation; `what`: "the name of a layer".
  std::string_view name(std::string_view what) {
    if (word_.size() <= 1 && (at_end() || is(';') || is('(') || is(')') || is('+'))) fail_expected(what);
    if (word_[0] == '"') refuse_control_characters();
    return take();
  }
  /// Goes on at that place of the text.
  void seek(size_t offset) {
    next_ = begin_ + offset;
    advance();
  }

  /// The words of a part of the text.
  Tokens part(size_t begin, size_t end) const {
    Tokens some = *this;
    some.end_ = begin_ + end;
    some.seek(begin);
    return some;
  }

  /// Passes over words up to `END name`, and over that; the block `keyword` begins at `begin`.
  void skip_block(std::string_view keyword, std::string_view name, size_t begin);
  /// The same up to ENDEXT.
  void skip_extension(size_t begin);
  /// Passes over words up to the next semicolon, and over that. `where`: as for expect().
  void skip_statement(std::string_view where);

  double number(std::string_view what);
  /// A number of µm that is in range on a grid of 1 nm.
  double um(std::string_view what);
  Dbu dbu(std::string_view what) {
    if (!short_integer()) return other_dbu(what);
    const Dbu value = value_;
    advance();
    return value;
  }
  /// A whole number from 1 on.
  int64_t count(std::string_view what);
  /// Passes over the word, or over the parenthesis that it begins with.
  void open(std::string_view what) { pass('(', what); }
  void close(std::string_view what) { pass(')', what); }
  /// `( x y )`, where * repeats a coordinate of `last`; `extension`, if not null, takes a third number, else there is
  /// none.
  Point point(const Point* last = nullptr, Dbu* extension = nullptr);

  [[noreturn]] void fail(size_t offset, const std::string& message) const;
  /// Of the next word: "expected …, not …", or that the file ends here.
  [[noreturn]] void fail_expected(std::string_view what) const;
  /// "this or that is not known in …".
  [[noreturn]] void fail_unknown(std::string_view where) const;

 private:
  static bool is_space(char c) { return static_cast<unsigned char>(c) <= ' '; }

  void advance() {
    const char* p = next_;
    for (;;) {
      while (p != end_ && is_space(*p)) ++p;
      if (p == end_ || *p != '#') break;
      const void* line_end = std::memchr(p, '\n', static_cast<size_t>(end_ - p));
      p = line_end ? static_cast<const char*>(line_end) : end_;
    }
    offset_ = static_cast<size_t>(p - begin_);
    const char* first = p;
    if (p != end_ && *p == '"')
      p = end_of_string(p);
    else
      while (p != end_ && !is_space(*p)) ++p;
    word_ = {first, static_cast<size_t>(p - first)};
    next_ = p;
  }
  /// Whether a semicolon, which is a word of its own, sticks to this one.
  bool ends_with_semicolon() const { return word_.size() > 1 && word_.back() == ';' && word_[0] != '"'; }
  const char* end_of_string(const char* mark) const;
  /// Of a name in quotation marks: it would break the lines that it is written into.
  void refuse_control_characters() const;
  /// Whether the word is a sign and up to nine digits; their value is then value_.
  bool short_integer() {
    const char* p = word_.data();
    const char* end = p + word_.size();
    const bool is_negative = p != end && *p == '-';
    p += is_negative;
    if (p == end || end - p > 9) return false;
    Dbu value = 0;
    for (; p != end; ++p) {
      const auto digit = static_cast<unsigned char>(*p - '0');
      if (digit > 9) return false;
      value = 10 * value + digit;
    }
    value_ = is_negative ? -value : value;
    return true;
  }
  void pass(char parenthesis, std::string_view what) {
    if (accept(parenthesis)) return;
    if (word_.empty() || word_[0] != parenthesis) fail_expected(what);
    seek(offset_ + 1);
  }
  Dbu other_dbu(std::string_view what);
  Dbu coordinate(const Dbu* last) {
    if (!short_integer()) return other_coordinate(last);
    const Dbu value = value_;
    advance();
    return value;
  }
  Dbu other_coordinate(const Dbu* last);

  const SourceText* source_;
  const char* begin_;
  const char* end_;
  const char* next_;  ///< behind the word
  std::string_view word_;
  size_t offset_ = 0;
  Dbu value_ = 0;
};

/// A word for a message: in quotation marks, odd bytes escaped, cut if long.
std::string shown(std::string_view word);

/// A name without the backslashes that take the meaning from a bracket or a divider in it.
std::string plain_name(std::string_view word);

}  // namespace gridiron::layout
