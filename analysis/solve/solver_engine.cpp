// SPDX-License-Identifier: Apache-2.0
// The engine of a Solver: set up, updated, replaced by another one.
//
// Memory peaks with the engine, from its set-up to the end of the solve, so that what neither needs is gone by then:
// pages that the set-up has freed go back to the system, what engines take besides the matrix goes after the only
// set-up of a run (System::free_structure), and engine and equations go before results are summed up (release()).
// Facts about few nodes, such as ties or potentials that sources fix, are lists of these nodes for the same reason.
#include <fmt/format.h>
#include <omp.h>

#include <exception>

#include "analysis/solve/solver.hpp"
#include "analysis/solve/solver_call.hpp"
#include "engines/shared_engine.hpp"
#include "support/error.hpp"
#include "support/freed_memory.hpp"
#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

/// Iterations for a barrier within which the residual must fall, or `auto` turns to another engine: engines that suit a
/// grid take three to seven for all of it.
constexpr int kPatience = 4;
/// The same on a GPU, before a factorization on the host, which takes as long as hundreds of iterations there: of a
/// mesh of 3 million nodes over five decades aggamg's residual does not fall in four, but the solve takes it 14.
constexpr int kPatienceBeforeHost = 16;

bool same_pattern(const CsrMatrix& a, const CsrMatrix& b) { return a.row_ptr == b.row_ptr && a.col == b.col; }

}  // namespace

Solver::Solver(System system, SolverOptions options, Context context, KeepVectors keep_vectors)
    : system_(std::move(system)),
      options_(std::move(options)),
      context_(std::move(context)),
      info_(&choose_engine(options_.engine, *system_.problem(), outlook())),
      keep_vectors_(std::move(keep_vectors)) {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  try {
    set_up(*info_, system_);
  } catch (const SolverError& e) {
    if (!take_over(e.message(), system_)) throw;
  }
}

void Solver::set_up(const EngineInfo& info, const System& system) {
  const Stopwatch watch;
  context_.progress("set up");
  const std::string_view device = choose_device(info, context_.device);
  std::unique_ptr<DeviceVectors> there;  // destroyed after the engine on its stream
  std::unique_ptr<Engine> engine = make_engine(info, device, options_.settings);
  there = keep_vectors_(device == "cuda", context_.stream);
  Context context = context_;
  if (there && there->is_on_gpu()) context.stream = there->stream();
  engine->set_context(std::move(context));
  if (system.shares()) {
    auto* const shared = dynamic_cast<SharedEngine*>(engine.get());
    if (!shared)
      throw InputError(fmt::format("{} {}: does not solve what processes share", field("engine"), info.name));
    shared->share(system.shares());
  }
  engine->setup(system.problem());
  if (options_.sets_up_once && options_.engine != "auto") system.free_structure();
  if (device == "cpu") return_freed_memory();
  Certifier certifier(system, options_.max_iterations);
  certifier_ = std::move(certifier);
  info_ = &info;
  engine_ = std::move(engine);
  there_ = std::move(there);
  has_room_there_ = true;
  there_for_ = solved_for_ = -1;
  is_set_up_ = true;
  device_ = device;
  asked_for_ = context_.device;
  threads_ = omp_get_max_threads();
  ++work_.setups;
  work_.setup_s += watch.seconds();
}

Context Solver::engine_context() const {
  Context context = context_;
  if (there_ && there_->is_on_gpu()) context.stream = there_->stream();
  return context;
}

void Solver::update_engine(const System& system) {
  const Stopwatch watch;
  context_.progress("set up");
  Certifier certifier(system, options_.max_iterations);
  const bool is_update = same_pattern(system_.problem()->matrix, system.problem()->matrix);
  engine_->set_context(engine_context());
  if (there_) there_->release();
  there_for_ = -1;
  has_room_there_ = true;
  is_set_up_ = false;
  engine_->update(system.problem());
  is_set_up_ = true;
  certifier_ = std::move(certifier);
  threads_ = omp_get_max_threads();
  ++(is_update ? work_.updates : work_.setups);
  work_.setup_s += watch.seconds();
}

void Solver::update(System system) {
  const OneCall call(*this);
  const ThreadCount threads(context_.threads);
  if (system.design() != system_.design()) throw InputError("an update stays with the design of the solver");
  const std::optional<std::string> declined = info_->declines(*system.problem());
  is_alone_ = false;
  try {
    if (declined)
      change_engine(choose_engine(options_.engine, *system.problem(), outlook()), *declined, system);
    else if (is_set_up_)
      update_engine(system);
    else
      set_up(*info_, system);
  } catch (const SolverError& e) {
    if (!take_over(e.message(), system)) throw;
  }
  system_ = std::move(system);
}

void Solver::tell(const char* code, std::string message) {
  findings_.push_back({Finding::Severity::warning, code, std::move(message), ""});
}

void Solver::change_engine(const EngineInfo& to, const std::string& why, const System& system) {
  const std::string_view before = info_->name;
  set_up(to, system);
  tell("engine-changed", fmt::format("engine {} took over from {}: {}", to.name, before, why));
}

const EngineInfo* Solver::relief(const System& system) const {
  return options_.engine == "auto" && !is_alone_ ? engine_after(*info_, *system.problem(), outlook()) : nullptr;
}

/// Where the user left the choice of the engine: another one instead of an engine that does not do. False when there is
/// none.
bool Solver::take_over(const std::string& why, const System& system) {
  std::string failures;
  for (const EngineInfo* other = relief(system); other; other = engine_after(*other, *system.problem(), outlook())) {
    try {
      change_engine(*other, failures.empty() ? why : why + "; " + failures, system);
      return true;
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception& e) {  // ResourceError as a rule, std::bad_alloc too
      failures += fmt::format("{}engine {} could not take over from {}: {}", failures.empty() ? "" : "; ", other->name,
                              info_->name, e.what());
    }
  }
  if (failures.empty()) return false;
  is_alone_ = true;
  tell("engine-kept", std::move(failures));
  return false;
}

/// The barrier is computed before the solve: it determines the residual needed for a tolerance in volts.
void Solver::find_barrier() {
  if (certifier_->has_looked()) return;
  const Stopwatch watch;
  context_.progress("certify");
  if (const EngineInfo* const next = relief(system_))
    certifier_->find_barrier(*engine_, device_ == "cuda" && !next->make_on_cuda ? kPatienceBeforeHost : kPatience);
  else
    certifier_->find_barrier(*engine_);
  ++work_.barriers;
  work_.certify_s += watch.seconds();
}

EngineRun Solver::engine_run() const {
  if (!engine_) return last_run_;
  EngineRun run = describe(*info_, *engine_, device_, asked_for_);
  run.threads = threads_;
  return run;
}

}  // namespace gridiron
