// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/solve/solver.hpp"
#include "analysis/tran/device_steps.hpp"
#include "analysis/tran/guesses.hpp"
#include "analysis/tran/node_currents.hpp"
#include "analysis/tran/potentials.hpp"
#include "analysis/tran/storage.hpp"
#include "analysis/tran/tran_report.hpp"

namespace gridiron {

/// Steps a grid through time from its operating point. Everything is a deviation from there: voltages, currents through
/// capacitors and inductors, loads and sources; all are 0 at first. A grid that starts from initial conditions deviates
/// from rest, where all is 0. Several scenarios, which differ in their loads, are stepped together.
class Integrator {
 public:
  static constexpr std::size_t kMostSizes = 12;  ///< sizes of steps whose engines are kept, if there is memory for them

  /// Errors: the design's; InputError unless scenarios ≥ 1.
  Integrator(std::shared_ptr<const Design> design, Method method, SolverOptions options, Context context,
             std::int64_t scenarios = 1, KeepStates keep = {});
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// Finds the state after a step of h seconds, at whose end source i draws load(i, j) more, A, in scenario j than at
  /// the operating point, and voltage source i holds volts[i] more (empty: as much). The first step of a size sets an
  /// engine up, or updates that of the size that was used least recently. A damped step is one of backward Euler,
  /// whatever the method; with the trapezoidal rule it has the matrix of steps twice as long. What goes on `meanwhile`
  /// may read the present state. Errors: those of Solver::solve().
  std::vector<Accuracy> step(double h, Block<const double> load, std::span<const double> volts = {},
                             bool is_damped = false, const Meanwhile& meanwhile = {});

  /// The same step where its accuracy may come later, as a factorization solves for one scenario: while it is made, the
  /// present state is certified on another thread, and then comes what is to be done `meanwhile`. If the present state
  /// misses the tolerance, it is found again by step(), and so is what followed from it. Errors: those of step().
  void step_ahead(double h, Block<const double> load, std::span<const double> volts = {}, bool is_damped = false,
                  const Meanwhile& meanwhile = {});
  /// Certifies the present state, if that is still to be done.
  void settle();
  /// Of the step that step_ahead() made to the present state, per scenario; complete after settle(), and for what goes
  /// on `meanwhile`. Empty before such a step.
  const std::vector<Accuracy>& accuracy() const { return accuracy_; }

  /// Before any step, those of h seconds being the first: forms their system, ahead of the engine. Errors: the
  /// design's.
  void form_system(double h, bool is_damped);
  /// The grid of a step, with any conductances of the storage.
  const Topology& topology() const;

  /// Before any step, those of h seconds being the first: where states are kept; null: on the host. Then step_there()
  /// takes the place of step(), for the loads that it has found. Errors: those of step().
  DeviceSteps* device(double h, bool is_damped);
  DeviceSteps* device() const { return device_.get(); }
  std::vector<Accuracy> step_there(double h, bool is_damped = false, const Meanwhile& meanwhile = {});
  /// Brings the present state to the host, for voltage().
  void fetch();
  /// Of step_there(), from the right-hand side to the certificate.
  const StepSeconds& seconds() const { return seconds_; }
  /// How currents are numbered, and where they flow.
  StepTables tables() const;

  /// Before any step: the initial conditions of the storage are the present state, in which sources draw and hold what
  /// step() says. All else follows within a damped step of h seconds, which is to be short beside all other times; no
  /// time passes.
  std::vector<Accuracy> start_from_initial(double h, Block<const double> load, std::span<const double> volts);

  /// Estimate of what the last step adds to the error of any voltage, V: the leading term of its local truncation
  /// error, from divided differences over the steps before. None until there are enough of them. Of states on the host
  /// the last step is that to the next state, and once this is accepted, also while another step is made, that to the
  /// present one.
  std::optional<double> local_error() const;
  /// Estimate of how far a voltage goes beyond its values at both ends of the last steps, and is off where its
  /// curvature has gone on, V: twice what a parabola through three states differs from its chord by. None until there
  /// are three.
  std::optional<double> curvature() const;
  /// Both of every voltage: the weights of the states at the end of that step, its begin and the two ends before.
  struct Weights {
    std::array<double, 4> of;
    double scale = 1;  ///< of the sum
    double sum(double v0, double v1, double v2, double v3) const {
      return scale * (of[0] * v0 + of[1] * v1 + of[2] * v2 + of[3] * v3);
    }
  };
  std::optional<Weights> local_error_weights() const;
  std::optional<Weights> curvature_weights() const;
  /// These states of a scenario, if they are on the host, by merged node.
  std::array<std::span<const double>, 4> last_states(std::int64_t scenario) const;
  /// The largest change of a voltage in the same step, V.
  double largest_change() const;

  /// Makes the state after the last step() the present one.
  void accept();

  const Design& design() const { return *design_; }
  const Storage& storage() const { return storage_; }
  Method method() const { return method_; }
  std::int64_t scenarios() const { return scenarios_; }
  std::int64_t nodes() const { return design_->circuit->node_count(); }

  /// In the present state, if it is on the host; valid until the next accept().
  Potentials voltage(std::int64_t scenario) const {
    return {column(present_.volts, merge_.unknowns, scenario), merge_.group, held_now_};
  }
  const Merge& merge() const { return merge_; }
  /// A from a to b, per element of the storage.
  std::span<const double> current(std::int64_t scenario) const {
    return column(flow_.amperes, storage_.size(), scenario);
  }

  /// What the systems of all sizes of steps took.
  System::Seconds system_seconds() const { return system_seconds_; }
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
    std::unique_ptr<DeviceSteps::Size> on_device = {};
    std::int64_t certified_by = -1;  ///< on_device: the number of its certifier
  };
  /// Columns of merged nodes, V, at a time.
  struct State {
    double time = 0;
    std::vector<double> volts;
  };
  /// What flows in a step, and what it leaves the storage with, × scenarios.
  struct Flow {
    std::vector<double> history;         ///< of the storage, which the step starts from
    std::vector<double> injection;       ///< of merged nodes
    std::vector<double> volts, amperes;  ///< of the storage
  };

  static std::span<const double> column(const std::vector<double>& of, std::int64_t rows, std::int64_t j) {
    return {of.data() + j * rows, static_cast<std::size_t>(rows)};
  }
  System system_for(const std::vector<double>& conductance);
  double size_of_matrix(double h, bool is_damped) const {
    return is_damped && method_ == Method::trapezoidal ? 2 * h : h;
  }
  void use_size(double h);
  double largest_of_states(const Weights& weight) const;
  std::array<const State*, 4> last() const;
  void choose_place(const System& system);
  void make_room();
  DeviceSteps::Size& on_device(Sized& sized, const QuickResidual* residual);
  std::optional<std::vector<Accuracy>> solve_there(Sized& sized, const DeviceSteps::Blocks& blocks,
                                                   const Meanwhile& meanwhile);
  std::vector<Accuracy> solve_by_host(Solver& solver);
  Guesses guesses() const;
  int best_of(const Guesses& guesses) const;
  void keep_injections();
  void find_held_edges();
  void hold(std::span<const double> volts);
  void choose_step(double h, Block<const double> load, bool is_damped);
  void find_flow(double h, Block<const double> load, std::span<const double> volts);
  void find_history();
  void find_injection(Block<const double> load);
  void guess();
  void find_stored(const Sized& sized, const State& state, const std::vector<double>& held, Flow& flow,
                   std::vector<double>& history) const;
  void swap_own();
  void hand_over();
  bool certify();
  void make_again();

  std::shared_ptr<const Design> design_;
  Method method_, rule_;  ///< rule_: of the last step
  SolverOptions options_;
  Context context_;
  std::int64_t scenarios_;
  KeepStates keep_;
  Storage storage_;

  std::unique_ptr<DeviceSteps> device_;  ///< outlives the solvers, which work on its stream
  StepSeconds seconds_;
  std::vector<Sized> kept_;
  std::size_t now_ = 0;                   ///< index into kept_
  std::optional<Topology> any_topology_;  ///< with conductances of 1 S, until there is a system
  struct Formed {
    double h;
    System system;
  };
  std::optional<Formed> formed_;  ///< of the first size, until there is a solver
  std::int64_t uses_ = 0, sizes_ = 0;
  System::Seconds system_seconds_;

  Merge merge_;  ///< of all steps
  std::optional<NodeCurrents> currents_;
  std::vector<std::int64_t> held_edges_;  ///< of nodes that hang on voltage sources; found when a source first moves
  /// Per node: what sources move it by, V, against its group or ground, after the step and at present; empty: nothing.
  std::vector<double> held_, held_now_;

  State next_, present_, before_, before2_, before3_;
  int accepted_ = 0;                           ///< steps
  double made_h_ = -1;                         ///< of the matrix of the step to the present state;
  int alike_ = 0;                              ///< states in a row, up to that, of this matrix and its rule
  bool has_next_ = false;                      ///< a step was made, and not accepted
  Method present_rule_ = Method::trapezoidal;  ///< of the step to the present state
  Flow next_flow_, flow_;                      ///< of the steps to the next state, and to the present one
  /// For the states before the present one, as flow_.injection is for that. Empty: not kept.
  std::vector<double> injected_before_, injected_before2_;
  bool keeps_injections_ = false;                ///< there, or on the device
  std::vector<double> history_after_;            ///< that a step from the next state starts from,
  double history_of_ = -1;                       ///< if it is of this size, s,
  Method history_rule_ = Method::trapezoidal;    ///< and this rule
  std::vector<std::int32_t> group_a_, group_b_;  ///< merged nodes of the storage

  // Of steps ahead of their accuracy:
  bool goes_ahead_ = true;                                     ///< no state has missed the tolerance
  std::optional<ColumnStats> next_uncertified_, uncertified_;  ///< of the next state, and of the present one
  std::vector<Accuracy> next_accuracy_, accuracy_;
  std::vector<double> own_volts_, own_injection_, own_amperes_;
  std::size_t made_ = 0;  ///< index into kept_, of the step to the present state
};

}  // namespace gridiron
