// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/model/design.hpp"
#include "netlist/tables/load_table.hpp"

namespace gridiron {

/// Load vectors: what every current source of a design draws, A; sources × vectors, vector after vector.
///
/// Errors of all that change a vector: InputError for names that are unknown or stand for several elements, for
/// currents that are not finite, and for vectors that do not exist. After one nothing has changed.
class Loads {
 public:
  /// `vectors` times what the deck says.
  explicit Loads(std::shared_ptr<const Design> design, int64_t vectors = 1);

  /// The deck's loads, with the sources that `table` names set to its values. Errors: InputError that begins with the
  /// place in the table.
  Loads(std::shared_ptr<const Design> design, const LoadTable& table);

  const std::shared_ptr<const Design>& design() const { return design_; }
  int64_t sources() const { return design_->circuit->current_sources.size(); }
  int64_t vectors() const { return vectors_; }
  std::span<const double> vector(int64_t v) const;
  std::span<double> vector(int64_t v);

  /// Sets one source in vector v.
  void set(std::string_view source, double amperes, int64_t v = 0);

  /// Scales the sources at a node in vector v so that together they carry `amperes` in the direction in which they do
  /// so now: out of a node of a power net, into one of a ground net. A negative value turns them round. Errors:
  /// InputError also at ground, and where the sources cancel each other or carry nothing.
  void set_at_node(std::string_view node, double amperes, int64_t v = 0);

  /// Sets both halves, `NAME_v` and `NAME_g`, of an instance.
  void set_instance(std::string_view instance, double amperes, int64_t v = 0);

 private:
  std::shared_ptr<const Design> design_;
  int64_t vectors_ = 0;
  std::vector<double> amperes_;
};

/// That a table names fewer than all `sources`; it may have been cut off.
std::vector<Finding> unnamed_load_findings(const LoadTable& table, int64_t sources);

}  // namespace gridiron
