// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <charconv>
#include <utility>

#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr const char* kField = "node_pattern";

std::string message_of(int error) {
  PCRE2_UCHAR text[256];
  if (pcre2_get_error_message(error, text, sizeof text) < 0) return "is not understood";
  return reinterpret_cast<const char*>(text);
}

PCRE2_SPTR bytes_of(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

struct NodePattern::Code {
  pcre2_code* code;
  ~Code() { pcre2_code_free(code); }
};

NodePattern::NodePattern(std::string regex) : text_(std::move(regex)) {
  if (text_.empty()) throw field_error(kField, "is empty; write e.g. (?<net>.*)_(?<layer>m\\d+)_(?<x>\\d+)_(?<y>\\d+)");
  // Where ECMAScript differs from Perl; the whole name is matched, and names of nodes have no case.
  constexpr uint32_t kOptions = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_CASELESS | PCRE2_ALT_BSUX |
                                PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY |
                                PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF;
  int error = 0;
  PCRE2_SIZE at = 0;
  pcre2_code* const code = pcre2_compile(bytes_of(text_), text_.size(), kOptions, &error, &at, nullptr);
  if (!code) throw field_error(kField, "{}: column {}: {}", text_, at + 1, message_of(error));
  code_.reset(new Code{code});
  find_groups();
}

NodePattern::~NodePattern() = default;
NodePattern::NodePattern(NodePattern&&) noexcept = default;

void NodePattern::find_groups() {
  uint32_t count = 0, size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code_->code, PCRE2_INFO_NAMECOUNT, &count);
  pcre2_pattern_info(code_->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
  pcre2_pattern_info(code_->code, PCRE2_INFO_NAMETABLE, &table);
  for (uint32_t k = 0; k < count; ++k, table += size) {
    const std::string_view name = reinterpret_cast<const char*>(table + 2);
    const int number = table[0] << 8 | table[1];
    int* const group = name == "net"     ? &net_
                       : name == "layer" ? &layer_
                       : name == "x"     ? &x_
                       : name == "y"     ? &y_
                                         : nullptr;
    if (!group) throw field_error(kField, "{}: it has a group '{}'; known are net, layer, x and y", text_, name);
    *group = number;
  }
  if (count == 0)
    throw field_error(kField,
                      "{}: it has no group that says what it finds; name some (?<net>…), (?<layer>…), (?<x>…) "
                      "and (?<y>…)",
                      text_);
  if ((x_ == 0) != (y_ == 0))
    throw field_error(kField, "{}: it has a group {} and no {}; a place takes both", text_, x_ ? 'x' : 'y',
                      x_ ? 'y' : 'x');
}

struct NodePattern::Matcher::Room {
  pcre2_match_data* match;
  pcre2_match_context* limits;
  ~Room() {
    pcre2_match_data_free(match);
    pcre2_match_context_free(limits);
  }
};

NodePattern::Matcher::Matcher(const NodePattern& pattern)
    : pattern_(pattern),
      room_(new Room{pcre2_match_data_create_from_pattern(pattern.code_->code, nullptr),
                     pcre2_match_context_create(nullptr)}) {
  if (!room_->match || !room_->limits) throw ResourceError("no memory to match names of nodes");
  pcre2_set_match_limit(room_->limits, kMostSteps);
}

NodePattern::Matcher::~Matcher() = default;

std::string_view NodePattern::Matcher::group(std::string_view name, int number) const {
  if (number == 0) return {};
  const PCRE2_SIZE* const ends = pcre2_get_ovector_pointer(room_->match) + 2 * number;
  return ends[0] == PCRE2_UNSET ? std::string_view() : name.substr(ends[0], ends[1] - ends[0]);
}

double NodePattern::Matcher::coordinate(std::string_view name, int number, const char* group_name) const {
  const std::string_view text = group(name, number);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw field_error(kField, "{}: group {} of node {} is '{}', which is no number", pattern_.text_, group_name, name,
                      text);
  return value;
}

bool NodePattern::Matcher::match(std::string_view name, Parts& parts) const {
  const int found = pcre2_match(pattern_.code_->code, bytes_of(name), name.size(), 0, 0, room_->match, room_->limits);
  if (found == PCRE2_ERROR_NOMATCH) return false;
  if (found < 0)
    throw field_error(
        kField, "{}: matching node {} {}; a pattern without repetitions inside of repetitions takes few",
        pattern_.text_, name,
        found == PCRE2_ERROR_MATCHLIMIT ? fmt::format("takes more than {} steps", +kMostSteps) : message_of(found));
  parts = {group(name, pattern_.net_), group(name, pattern_.layer_)};
  if (pattern_.x_ == 0 || group(name, pattern_.x_).data() == nullptr || group(name, pattern_.y_).data() == nullptr)
    return true;
  parts.x = coordinate(name, pattern_.x_, "x");
  parts.y = coordinate(name, pattern_.y_, "y");
  return true;
}

}  // namespace gridiron
