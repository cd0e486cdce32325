// SPDX-License-Identifier: Apache-2.0
// Memory peaks with the engine, from its set-up to the end of the solve, so that what neither needs is gone by then:
// pages that the set-up has freed go back to the system, what engines take besides the matrix goes after the only
// set-up of a run (System::free_structure), and engine and equations go before results are summed up
// (Solver::release()). Facts about few nodes, such as ties or potentials that sources fix, are lists of these nodes for
// the same reason.
#include "analysis/solve/engine_slot.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "engines/direct_or_multigrid.hpp"
#include "support/error_text.hpp"
#include "support/field.hpp"
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
/// A factorization that is predicted to take so many times as long as multigrid is waited for, and at most so many
/// iterations: of a cube whose blocks differ by 1e8, aggamg's residual does not fall in four, but the solve takes it 52
/// and a fifth of the time.
constexpr double kDear = 8;
constexpr int kMostPatience = 100;

bool same_pattern(const CsrMatrix& a, const CsrMatrix& b) { return a.row_ptr == b.row_ptr && a.col == b.col; }

/// On the device, or for the part of the system that this process holds. Errors: InputError, and of make_engine().
std::unique_ptr<Engine> make_engine_for(const System& system, const EngineInfo& info, std::string_view device,
                                        const Settings& settings) {
  if (!system.shares()) return make_engine(info, device, settings);
  if (!info.make_shared) throw field_error("engine", "{}: does not solve what processes share", info.name);
  return info.make_shared(settings, system.shares());
}

}  // namespace

EngineSlot::EngineSlot(const System& system, const SolverOptions& options, const Context& context, SolverWork& work,
                       MakeVectors make_vectors)
    : options_(options),
      context_(context),
      work_(work),
      make_vectors_(std::move(make_vectors)),
      info_(&choose_engine(options.engine, *system.problem(), use())),
      tried_{info_} {}

void EngineSlot::install(const EngineInfo& info, const System& system) {
  const Stopwatch watch;
  context_.progress("set up");
  const std::string_view device = choose_device(info, context_.device, use().unknowns_of(*system.problem()));
  DeviceSolve on_device;  // destroyed after the engine on its stream
  std::unique_ptr<Engine> engine = make_engine_for(system, info, device, options_.settings);
  on_device = DeviceSolve(make_vectors_(device == "cuda", context_.stream));
  engine->set_context(on_device.on_stream(context_));
  engine->setup(system.problem());
  if (options_.sets_up_once && options_.engine != "auto") system.free_structure();
  if (device == "cpu") return_freed_memory();
  ready_.reset(new ReadyEngine{&options_, &info, device, context_.device, omp_get_max_threads(), std::move(on_device),
                               std::move(engine), Certifier(system, options_.max_iterations)});
  info_ = &info;
  ++work_.setups;
  work_.setup_s += watch.seconds();
}

void EngineSlot::set_up(const System& system) {
  try {
    install(*info_, system);
  } catch (const SolverError& e) {
    if (!replace(e.message(), system)) throw;
  } catch (const ResourceError& e) {
    if (!info_->is_direct() || !replace(e.message(), system)) throw;
  }
}

void EngineSlot::update_engine(const System& from, const System& to) {
  const Stopwatch watch;
  context_.progress("set up");
  Certifier certifier(to, options_.max_iterations);
  const bool is_update = same_pattern(from.problem()->matrix, to.problem()->matrix);
  ready_->set_context(context_);
  ready_->on_device.reset();
  last_run_ = ready_->run();
  try {
    ready_->engine->update(to.problem());
  } catch (...) {
    ready_.reset();
    throw;
  }
  ready_->certifier = std::move(certifier);
  ready_->has_solved = false;
  ready_->threads = omp_get_max_threads();
  ++(is_update ? work_.updates : work_.setups);
  work_.setup_s += watch.seconds();
}

void EngineSlot::update(const System& from, const System& to) {
  const std::optional<std::string> declined = info_->declines(*to.problem());
  is_last_ = false;
  tried_ = {info_};
  try {
    if (declined)
      install_instead(choose_engine(options_.engine, *to.problem(), use()), *declined, to);
    else if (ready_)
      update_engine(from, to);
    else
      install(*info_, to);
  } catch (const SolverError& e) {
    if (!replace(e.message(), to)) throw;
  }
}

void EngineSlot::warn(const char* code, std::string message) {
  findings_.push_back({Finding::Severity::warning, code, std::move(message), ""});
}

void EngineSlot::install_instead(const EngineInfo& info, const std::string& why, const System& system) {
  const std::string_view before = info_->name;
  if (std::ranges::find(tried_, &info) == tried_.end()) tried_.push_back(&info);
  install(info, system);
  warn("engine-changed", fmt::format("engine {} took over from {}: {}", info.name, before, why));
}

/// The engine to turn to from those that did not do; null: none.
const EngineInfo* EngineSlot::successor(const System& system) const {
  return options_.engine == "auto" && !is_last_ ? engine_after(tried_, *system.problem(), use()) : nullptr;
}

bool EngineSlot::replace(const std::string& why, const System& system) {
  std::string failures;
  for (const EngineInfo* other = successor(system); other; other = successor(system)) {
    try {
      install_instead(*other, failures.empty() ? why : why + "; " + failures, system);
      return true;
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception& e) {  // ResourceError as a rule, std::bad_alloc too
      failures += fmt::format("{}engine {} could not take over from {}: {}", failures.empty() ? "" : "; ", other->name,
                              info_->name, e.what());
    }
  }
  if (failures.empty()) return false;
  is_last_ = true;
  warn("engine-kept", std::move(failures));
  return false;
}

ReadyEngine& EngineSlot::ready(const System& system) {
  if (!ready_) install(*info_, system);
  ready_->set_context(context_);
  return *ready_;
}

ReadyEngine& EngineSlot::ready_with_barrier(const System& system) {
  ready(system).threads = omp_get_max_threads();
  const auto has_barrier = [&] {
    find_barrier();
    return ready_->certifier.has_barrier();
  };
  while (!has_barrier() && replace(info_->is_direct() ? "its solutions give no error bound"
                                                      : "it converges too slowly for an error bound",
                                   system))
    ;
  find_barrier();  // with all patience, where it was given up and no other engine could be set up
  return *ready_;
}

/// Iterations that cost as much as the factorization that would follow, if that is dear.
int EngineSlot::patience_before(const EngineInfo& next) const {
  if (!next.is_direct() || ready_->device == "cuda" || ready_->system().shares()) return 0;
  const double cost = predicted_cost_of_factoring(ready_->system().problem()->matrix);
  return cost < kDear ? 0 : static_cast<int>(std::min<double>(kMostPatience, kPatience * cost));
}

void EngineSlot::find_barrier() {
  if (ready_->certifier.has_looked()) return;
  const Stopwatch watch;
  context_.progress("certify");
  // What follows a factorization that broke down has no better one to turn to.
  const bool is_last_resort = std::ranges::any_of(tried_, &EngineInfo::is_direct);
  if (const EngineInfo* const next = successor(ready_->system()); next && !is_last_resort) {
    const bool is_before_host = ready_->device == "cuda" && !next->make_on_cuda;
    ready_->certifier.find_barrier(*ready_->engine, is_before_host ? kPatienceBeforeHost : kPatience);
    if (const int more = ready_->certifier.has_looked() ? 0 : patience_before(*next); more > kPatience)
      ready_->certifier.find_barrier(*ready_->engine, more);
  } else {
    ready_->certifier.find_barrier(*ready_->engine);
  }
  ++work_.barriers;
  work_.certify_s += watch.seconds();
}

void EngineSlot::release_vectors() {
  if (ready_) ready_->on_device.release_vectors();
}

void EngineSlot::release() {
  if (ready_) last_run_ = ready_->run();
  ready_.reset();
}

}  // namespace gridiron
