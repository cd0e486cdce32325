// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <string_view>

namespace gridiron {

/// A regular expression of the user that tells what the names of nodes mean: its groups (?<net>…), (?<layer>…), (?<x>…)
/// and (?<y>…), of which some may be missing, but x and y come together. It is matched with whole names, without regard
/// to case, as ECMAScript has it. Threads may share it.
class NodePattern {
 public:
  /// Errors: InputError, which the field node_pattern begins, for what is no regular expression, and other groups.
  explicit NodePattern(std::string regex);
  ~NodePattern();
  NodePattern(NodePattern&&) noexcept;

  const std::string& text() const { return text_; }

  struct Parts {
    std::string_view net, layer;  ///< empty: unknown
    double x = NAN, y = NAN;      ///< database units

    bool has_place() const { return !std::isnan(x); }
  };

  /// What a thread needs to match names.
  class Matcher {
   public:
    explicit Matcher(const NodePattern& pattern);
    ~Matcher();
    Matcher(const Matcher&) = delete;
    Matcher& operator=(const Matcher&) = delete;

    /// False if `name` does not match. The texts of `parts` last as long as `name`. Errors: InputError if matching
    /// takes more than kMostSteps, or what x or y match is no number.
    bool match(std::string_view name, Parts& parts) const;

   private:
    struct Room;
    std::string_view group(std::string_view name, int number) const;
    double coordinate(std::string_view name, int number, const char* group_name) const;

    const NodePattern& pattern_;
    std::unique_ptr<Room> room_;
  };

  /// Which stop patterns that take time exponential in the length of a name, on any machine after as many steps. A
  /// usual pattern takes less than a hundred.
  static constexpr int kMostSteps = 10'000;

 private:
  struct Code;
  void find_groups();

  std::string text_;
  std::unique_ptr<Code> code_;
  int net_ = 0, layer_ = 0, x_ = 0, y_ = 0;  ///< numbers of groups; 0: none
};

}  // namespace gridiron
