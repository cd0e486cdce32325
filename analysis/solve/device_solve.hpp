// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/model/system.hpp"
#include "analysis/solve/certifier.hpp"
#include "analysis/solve/device_vectors.hpp"
#include "engines/engine.hpp"
#include "support/context.hpp"

namespace gridiron {

/// Solves with all vectors in the memory of the device that an engine runs on. What finds no room there returns nothing
/// and frees all; from then on vectors stay on the host.
class DeviceSolve {
 public:
  /// Null: vectors stay on the host.
  explicit DeviceSolve(std::unique_ptr<DeviceVectors> vectors = nullptr) : vectors_(std::move(vectors)) {}

  /// The same on the stream of the vectors, where the engine must work.
  Context on_stream(Context context) const;

  /// Makes the tables of a system unless they are there; whether solve() can be called then. They take what the first
  /// vector saves, so that only a system that is solved repeatedly is worth them (benchmarks/results/h100.md).
  bool prepare(const Engine& engine, const System& system, const Certifier& certifier);

  /// Voltages for injections, both in host memory. Errors: those of the engine.
  std::optional<SolveStats> solve(Engine& engine, Block<const double> injection, Block<double> voltage,
                                  const StopRule& stop);
  /// The same for 1 A into each of these merged nodes, one per column; −1: none.
  std::optional<SolveStats> solve_units(Engine& engine, std::span<const int32_t> nodes, Block<double> voltage,
                                        const StopRule& stop);
  /// Of the last solution, one per column; empty without room for them.
  std::vector<FineResidual> residuals();

  /// The system has changed: tables are made anew, if there is room for them.
  void reset();
  void release_vectors();
  bool has_room() const { return has_room_; }
  /// Whether there is room is found out again.
  void try_again() { has_room_ = true; }
  int64_t bytes() const { return vectors_ ? vectors_->bytes() : 0; }

 private:
  template <class Action>
  bool fits(Action action);
  template <class Reduce>
  std::optional<SolveStats> solve(Engine& engine, Reduce reduce, Block<double> voltage, const StopRule& stop);

  std::unique_ptr<DeviceVectors> vectors_;
  bool has_room_ = true, has_tables_ = false;
};

}  // namespace gridiron
