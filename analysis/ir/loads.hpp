// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/ir/design.hpp"
#include "netlist/load_table.hpp"

namespace gridiron {

/// Load vectors: the current drawn by every current source of a design, A; sources × vectors, vector after vector.
class Loads {
 public:
  /// `vectors` copies of the deck's loads.
  explicit Loads(const Design& design, std::int64_t vectors = 1);

  /// The deck's loads, with the sources named in `table` set to its values. Errors: InputError for a name that is not a
  /// current source of the deck.
  Loads(const Design& design, const LoadTable& table);

  std::int64_t sources() const { return sources_; }
  std::int64_t vectors() const { return vectors_; }
  std::span<const double> vector(std::int64_t v) const { return std::span(amperes_).subspan(first(v), first(1)); }
  std::span<double> vector(std::int64_t v) { return std::span(amperes_).subspan(first(v), first(1)); }

  /// Vectors [begin, begin + count).
  Loads part(std::int64_t begin, std::int64_t count) const;

  /// Sets one source in vector v. Errors: InputError when the deck has no such source.
  void set(const Design& design, std::string_view source, double amperes, std::int64_t v = 0);

  /// Scales the sources at a node in vector v so that together they draw `amperes`. Errors: InputError if there is no
  /// such node, or it has no load to scale.
  void set_at_node(const Design& design, std::string_view node, double amperes, std::int64_t v = 0);

  /// Sets both halves, `NAME_v` and `NAME_g`, of an instance. Errors: InputError when the deck has no such pair.
  void set_instance(const Design& design, std::string_view instance, double amperes, std::int64_t v = 0);

 private:
  std::size_t first(std::int64_t v) const { return static_cast<std::size_t>(v * sources_); }

  std::int64_t sources_ = 0, vectors_ = 0;
  std::vector<double> amperes_;
};

}  // namespace gridiron
