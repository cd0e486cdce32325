// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "support/bytes_of.hpp"

namespace gridiron {

/// An engine that is one of several, chosen by the structure of the problem given to setup(), and forwards everything
/// to it. Until then it reports what its settings say.
class EngineByStructure : public Engine {
 public:
  void do_setup(const Problem& problem) override {
    engine_.reset();
    engine_ = make_for(problem);
    engine_->set_context(context());
    engine_->setup(incoming());
  }
  void do_update(const Problem&) override {
    engine_->set_context(context());
    engine_->update(incoming());
  }
  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override {
    engine_->set_context(context());
    return engine_->solve(b, x, stop);
  }
  bool begins_at_zero() const override { return true; }
  bool takes_device_memory() const override { return engine_ && engine_->takes_device_memory(); }
  int64_t bytes() const override { return bytes_of(engine_); }
  double bytes_per_iteration() const override { return engine_ ? engine_->bytes_per_iteration() : 0; }
  std::vector<LevelSummary> levels() const override {
    return engine_ ? engine_->levels() : std::vector<LevelSummary>();
  }
  MethodFigures figures() const override { return engine_ ? engine_->figures() : MethodFigures(); }
  std::string note() const override { return engine_ ? engine_->note() : ""; }
  ParamList parameters() const override { return engine_ ? engine_->parameters() : parameters_before_setup(); }

 protected:
  /// The engine for this problem, not set up. Errors: InputError for settings that do not apply to it.
  virtual std::unique_ptr<Engine> make_for(const Problem& problem) const = 0;
  virtual ParamList parameters_before_setup() const = 0;

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace gridiron
