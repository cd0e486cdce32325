// SPDX-License-Identifier: Apache-2.0
#include "layout/power_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "netlist/values/spice_number.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error.hpp"

namespace gridiron::layout {
namespace {

/// Reads values one after the other without keeping them: such files have a million objects.
class PowerJson {
 public:
  PowerJson(const SourceText& source, const std::function<void(std::string_view, double, size_t)>& give)
      : source_(source), text_(source.text()), give_(give) {
    at_ = text_.size() - without_byte_order_mark(text_).size();
  }

  int64_t read() {
    while (peek() != '\0') value(0);
    return objects_;
  }

 private:
  static constexpr int kDeepest = 64;

  char peek() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char c) {
    if (peek() != c) fail(fmt::format("expected {:?}", c));
    ++at_;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: {} in JSON", source_.describe(std::min(at_, text_.size())), what));
  }

  void value(int depth) {
    if (depth > kDeepest) fail("too many brackets");
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        ++at_;
        if (peek() != ']')
          for (value(depth + 1); peek() == ','; value(depth + 1)) ++at_;
        return expect(']');
      case '"':
        string(nullptr);
        return;
      default:
        number_or_word();
    }
  }

  void object(int depth) {
    expect('{');
    std::string name;
    std::optional<double> total;
    size_t name_at = 0;
    bool has_name = false;
    for (bool is_first = true; peek() != '}'; is_first = false) {
      if (!is_first) expect(',');
      std::string key;
      peek();
      string(&key);
      expect(':');
      const char c = peek();
      if (key == "name" && c == '"') {
        name_at = at_ + 1;
        string(&name);
        has_name = true;
      } else if (key == "total" && c != '{' && c != '[' && c != '"') {
        total = number_or_word();
      } else {
        value(depth + 1);
      }
    }
    expect('}');
    if (!has_name || !total) return;
    if (!std::isfinite(*total)) fail(fmt::format("the power of {} is no number", name));
    give_(name, *total, name_at);
    ++objects_;
  }

  void string(std::string* out) {
    expect('"');
    while (at_ < text_.size() && text_[at_] != '"') {
      // OpenSTA writes backslashes of names as they are, so that only those before a quotation mark or themselves
      // count.
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) ++at_;
      if (out) out->push_back(text_[at_]);
      ++at_;
    }
    if (at_ == text_.size()) fail("no end of a string");
    ++at_;
  }

  double number_or_word() {
    const size_t end = std::min(text_.size(), text_.find_first_of(" \t\r\n,]}", at_));
    const std::string_view word = text_.substr(at_, end - at_);
    double number = 0;
    const char* const last = parse_decimal(word.data(), word.data() + word.size(), number);
    const bool is_number = !word.empty() && last == word.data() + word.size();
    const bool is_word = word == "true" || word == "false" || word == "null" || word == "NaN" || word == "nan";
    if (!is_number && !is_word) fail(fmt::format("{:?} is no value", word));
    at_ = end;
    return is_number ? number : std::nan("");
  }

  const SourceText& source_;
  std::string_view text_;
  const std::function<void(std::string_view, double, size_t)>& give_;
  size_t at_ = 0;
  int64_t objects_ = 0;
};

}  // namespace

int64_t read_power_json(const SourceText& source, const std::function<void(std::string_view, double, size_t)>& give) {
  return PowerJson(source, give).read();
}

}  // namespace gridiron::layout
