// SPDX-License-Identifier: Apache-2.0
#pragma once

// What follows the nodes of a source. A PWL is more than a keyword and its numbers: its options may stand among these.

#include "netlist/grammar/bare_value.hpp"
#include "netlist/grammar/file_name.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron::grammar {

/// `PWL 0 0 1n 1m` | `PWL(0 0, 1n 1m) R=0 TD=1n` | `PWL (0,0) (1n,1m)` | `PWL(pwlfile="load.csv" R)`.
template <class Skip>
class PwlReader {
 public:
  PwlReader(Iterator& at, Iterator last, Skip skip, std::vector<ast::Setting>& settings)
      : at_(at), last_(last), skip_(skip), settings_(settings) {}

  /// Behind the keyword.
  void read(ast::Text key) {
    const size_t points = settings_.size();
    settings_.push_back({key, {}});
    take('=');
    bool was_closed = false;
    for (;;) {
      if (take(is_open_ ? ')' : '(')) {
        was_closed |= is_open_;
        is_open_ = !is_open_;
        continue;
      }
      skip_();
      const Iterator begin = at_;
      ast::Value v;
      const bool may_be_point = is_open_ || !was_closed;
      if ((may_be_point && value::read(at_, last_, v)) ||
          (!read_option() && may_be_point && bare_value::read(at_, last_, v))) {
        if (*begin == '+' && settings_[points].values.size() % 2 == 0)
          throw SyntaxError(begin, "a time without '+', as it counts from the point before in LTspice,");
        settings_[points].values.push_back(v);
        take(',');
      } else if (at_ == begin) {
        break;
      }
    }
    if (is_open_) throw SyntaxError(at_, "')'");
  }

 private:
  bool take(char c) {
    skip_();
    if (at_ == last_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  bool read_option() {
    const Iterator begin = at_;
    ast::Setting option;
    if (!word::read(at_, last_, option.key)) return false;
    const auto is = [&](std::string_view name) { return same_name(option.key, name); };
    for (const std::string_view other : {"repeat", "trigger", "time_scale_factor", "value_scale_factor"})
      if (is(other))
        throw SyntaxError(begin, "points, R=TIME and TD=DELAY only in a PWL, no REPEAT, TRIGGER or scale,");
    const bool is_file = is("pwlfile") || is("file");
    const bool is_time = is("td") || is("pwl_delay") || is("pwl_period");
    if (!is_file && !is("r") && !is_time) {
      at_ = begin;
      return false;
    }
    const bool has_equals = take('=');
    skip_();
    ast::Value v;
    if (is_file) {
      v.expression = read_file();
      option.values.push_back(v);
    } else if (value::read(at_, last_, v)) {
      option.values.push_back(v);
    } else if (has_equals || is_time) {
      throw SyntaxError(at_, "a time");
    }
    take(',');
    settings_.push_back(std::move(option));
    return true;
  }

  ast::Text read_file() {
    ast::Text name;
    if (at_ != last_ && (*at_ == '"' || *at_ == '\''))
      name = file_name(at_, last_);
    else
      word::read(at_, last_, name);
    if (name.empty()) throw SyntaxError(at_, "the name of a file");
    return name;
  }

  Iterator& at_;
  Iterator last_;
  Skip skip_;
  std::vector<ast::Setting>& settings_;
  bool is_open_ = false;
};

/// Any number of settings; `Other` reads those that are no PWL.
template <class Other>
struct source_settings : x3::parser<source_settings<Other>> {
  using attribute_type = std::vector<ast::Setting>;
  static constexpr bool has_attribute = true;
  Other other;

  constexpr explicit source_settings(Other o) : other(o) {}
  template <class Context>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type,
             attribute_type& settings) const {
    const auto skip = [&] { x3::skip_over(first, last, context); };
    for (;;) {
      skip();
      Iterator next = first;
      if (ast::Text key; word::read(next, last, key) && same_name(key, "pwl")) {
        first = next;
        PwlReader(first, last, skip, settings).read(key);
      } else if (ast::Setting setting; other.parse(first, last, context, x3::unused, setting)) {
        settings.push_back(std::move(setting));
      } else {
        return true;
      }
    }
  }
};

}  // namespace gridiron::grammar
