// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/ir/solver.hpp"
#include "analysis/tran/storage.hpp"

namespace gridiron {

/// Steps a grid through time from its operating point. Everything is a deviation from there: voltages, currents through
/// capacitors and inductors, loads and sources; all are 0 at first. Several scenarios, which differ in their loads,
/// are stepped together.
class Integrator {
 public:
  /// Errors: the design's; InputError unless scenarios ≥ 1.
  Integrator(std::shared_ptr<const Design> design, Method method, SolverOptions options, Context context,
             std::int64_t scenarios = 1);
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// Finds the state after a step of h seconds, at whose end source i draws load(i, j) more, A, in scenario j than at
  /// the operating point, and voltage source i holds volts[i] more (empty: as much). The first step of a size sets an
  /// engine up, or updates that of the size that was used least recently. Errors: those of Solver.
  std::vector<Accuracy> step(double h, Block<const double> load, std::span<const double> volts = {});

  /// Estimate of what the last step() adds to the error of any voltage, V: the leading term of its local truncation
  /// error, from divided differences over the steps before. None until there are enough of them.
  std::optional<double> local_error() const;

  /// Makes the state after the last step() the present one.
  void accept();

  const Design& design() const { return *design_; }
  const Storage& storage() const { return storage_; }
  Method method() const { return method_; }
  std::int64_t scenarios() const { return scenarios_; }
  std::int64_t nodes() const { return design_->circuit->node_count(); }

  /// V per node of the netlist, in the present state.
  std::span<const double> voltage(std::int64_t scenario) const { return column(node_volts_, nodes(), scenario); }
  /// A from a to b, per element of the storage.
  std::span<const double> current(std::int64_t scenario) const { return column(amperes_, storage_.size(), scenario); }

  /// Work of all engines together, and how many set-ups and updates for sizes of steps there were.
  Solver::Work work() const;
  std::int64_t sizes() const { return sizes_; }
  /// That of the size used last. There is one from the first step() on.
  const Solver& solver() const { return *kept_[now_].solver; }

 private:
  /// What steps of one size share.
  struct Sized {
    double h;
    std::vector<double> conductance;  ///< per element of the storage, S
    std::unique_ptr<Solver> solver;
    std::int64_t last_use;
  };
  /// Columns of merged nodes, V, at a time.
  struct State {
    double time = 0;
    std::vector<double> volts;
  };
  /// Currents into merged nodes: entries [first[i], first[i + 1]) of node i.
  struct Entry {
    std::int32_t origin;  ///< a current source, or their number + an element of the storage
    float sign;
  };

  static std::span<const double> column(const std::vector<double>& of, std::int64_t rows, std::int64_t j) {
    return {of.data() + j * rows, static_cast<std::size_t>(rows)};
  }
  System system_for(const std::vector<double>& conductance) const;
  void use_size(double h);
  void find_entries();
  void find_held_edges();
  void hold(std::span<const double> volts);
  void find_history();
  void find_injection(Block<const double> load);
  void guess(double h);

  std::shared_ptr<const Design> design_;
  Method method_;
  SolverOptions options_;
  Context context_;
  std::int64_t scenarios_;
  Storage storage_;

  std::vector<Sized> kept_;
  std::size_t now_ = 0;  ///< index into kept_
  std::int64_t uses_ = 0, sizes_ = 0;

  Merge merge_;  ///< of all steps
  std::vector<std::int64_t> first_;
  std::vector<Entry> entries_;
  std::vector<std::int64_t> held_edges_;  ///< of nodes that hang on voltage sources; found when a source first moves
  std::vector<double> held_;  ///< per node: what sources move it by, V, against its group or ground; empty: nothing

  State next_, present_, before_, before2_;
  int accepted_ = 0;  ///< steps
  std::vector<double> history_, injection_, amperes_, node_volts_;
};

}  // namespace gridiron
