// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "analysis/certify/quick_residual.hpp"
#include "analysis/tran/method.hpp"
#include "analysis/tran/result_tables.hpp"
#include "analysis/tran/steps/guesses.hpp"
#include "engines/engine.hpp"

namespace gridiron {

/// What all steps of a simulation share. Currents are numbered: those of loads, then those of the storage (capacitors,
/// then inductors). Scenarios are columns everywhere.
struct StepTables {
  int64_t nodes = 0;  ///< merged ones
  int64_t loads = 0, capacitors = 0, scenarios = 1;
  /// The currents into node n are entries first_entry[n] … first_entry[n + 1] − 1 of `current`, each with its sign.
  std::vector<int64_t> first_entry;
  std::vector<int32_t> current;
  std::vector<double> sign;
  std::vector<int32_t> group_a, group_b;  ///< nodes of the storage; −1 where sources hold them

  int64_t storage() const { return std::ssize(group_a); }
};

/// A waveform from some time on: `value` + `slope` · (t − begin), A, of the load `load`.
struct LoadPiece {
  int32_t drive;  ///< its number
  int32_t load;
  double begin, value, slope;
};

/// Waveforms that loads follow in scenarios, each as template, delay and scale.
struct TemplateTables {
  std::span<const double> time_s, amperes;  ///< samples, and templates × samples
  struct Shape {
    int32_t of;
    double delay, at_start;
  };
  std::vector<Shape> shapes;
  std::span<const int64_t> loads;  ///< that follow one
  std::span<const int32_t> shape;  ///< per load, or per load and scenario
  std::span<const double> scale;   ///< likewise
  bool varies = false;             ///< over the scenarios
};

/// A simulation's states, and what is measured of them, in the memory of the device that an engine runs on, so that
/// nothing per node leaves it from step to step. Everything is a deviation, as in Integrator, which says what the verbs
/// mean; no source may move. Errors: ResourceError.
class DeviceSteps {
 public:
  virtual ~DeviceSteps() = default;

  /// The stream in which engines must work (Context::stream), and the memory that their vectors lie in.
  virtual void* stream() const = 0;
  virtual Memory memory() const = 0;
  virtual int64_t bytes() const = 0;

  /// What steps of one size share.
  class Size {
   public:
    virtual ~Size() = default;
  };
  /// `residual`: null where residuals() are not wanted. `conductance`: per element of the storage.
  virtual std::unique_ptr<Size> prepare(const Elimination& elimination, const QuickResidual* residual,
                                        std::span<const double> conductance) = 0;

  // Loads of the next state.
  virtual void set_drives(int64_t drives) = 0;
  virtual void set_templates(const TemplateTables& templates) = 0;
  virtual void change(std::span<const LoadPiece> pieces) = 0;
  virtual void find_loads(double t) = 0;

  // The next state.
  virtual void find_history(const Size& size, Method rule) = 0;
  /// The right-hand sides and guesses of the unknowns. Guesses are comparable only if the last three states came after
  /// keep_injections().
  struct Blocks {
    Block<const double> b;
    Block<double> x;
  };
  virtual Blocks unknowns(const Size& size, const Guesses& guesses) = 0;
  /// Keeps injections of the last states from now on, so that guesses can be compared. Errors: ResourceError, and then
  /// none are kept.
  virtual void keep_injections() = 0;
  /// Finds the voltages of all nodes from the unknowns.
  virtual void recover(const Size& size) = 0;
  /// What the next state leaves of the equations, per scenario.
  virtual std::vector<ResidualSums> residuals(const Size& size) = 0;
  /// The largest |c[0] · next + c[1] · present + c[2] · before + c[3] · before that| of any node and scenario.
  virtual double largest_of(const double (&c)[4]) = 0;
  virtual void accept(const Size& size, Method rule) = 0;

  // States by way of the host: nodes × scenarios.
  virtual void injection_to(std::span<double> amperes) = 0;
  virtual void next_from(std::span<const double> volts) = 0;
  virtual void present_to(std::span<double> volts) = 0;

  // Results.
  virtual void measure(const ResultTables& tables) = 0;
  /// Counts the present state, a step after the one before, which stands for so many seconds, and for the flow of
  /// charge for others. One entry per scenario.
  virtual std::vector<StateFigures> count(double time, double seconds, double seconds_of_charge, double step) = 0;
  /// Deviations of nodes, nodes × scenarios; 0 where sources hold them (−1).
  virtual void voltages_to(std::span<const int32_t> nodes, std::span<double> volts) = 0;
  /// Keeps a copy of the present state of a scenario.
  virtual void keep(int64_t scenario) = 0;
  /// The state that keep() copied, shifted as StateFigures are.
  virtual void kept_to(std::span<double> volts) = 0;
  /// `seconds`: all that was counted.
  virtual void figures_to(Figures& figures, double seconds) = 0;
  /// Waits for what is under way, so that it can be timed.
  virtual void finish() = 0;
};

std::unique_ptr<DeviceSteps> make_steps_on_host(const StepTables& tables);
/// On this cudaStream_t; null: on a new one. Errors: ResourceError in a build without CUDA, and without memory.
std::unique_ptr<DeviceSteps> make_steps_on_cuda(const StepTables& tables, void* stream);

/// Makes the states of a simulation on the device where they are kept, given whether its engine works on a GPU, and in
/// which stream. Null: they are kept on the host, and stepped by loops made for a processor.
using MakeStates = std::function<std::unique_ptr<DeviceSteps>(const StepTables&, bool is_on_gpu, void* stream)>;
/// On the GPU if the engine works on one, otherwise null.
std::unique_ptr<DeviceSteps> states_on_engine_device(const StepTables& tables, bool is_on_gpu, void* stream);

}  // namespace gridiron
