// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/device_solve.hpp"

#include <new>

#include "support/error.hpp"

namespace gridiron {

Context DeviceSolve::on_stream(Context context) const {
  if (vectors_ && vectors_->is_on_gpu()) context.stream = vectors_->stream();
  return context;
}

template <class Action>
bool DeviceSolve::fits(Action action) {
  try {
    action();
    return true;
  } catch (const ResourceError&) {
  } catch (const std::bad_alloc&) {
  }
  reset();
  has_room_ = false;
  return false;
}

bool DeviceSolve::prepare(const Engine& engine, const System& system, const Certifier& certifier) {
  if (!vectors_ || !has_room_ || (!engine.takes_device_memory() && vectors_->is_on_gpu())) return false;
  if (!certifier.has_barrier() || !certifier.error_bound().is_plain() || system.shares()) return false;
  if (!has_tables_)
    has_tables_ = fits([&] { vectors_->take(system.elimination(), system.network(), certifier.error_bound()); });
  return has_tables_;
}

template <class Reduce>
std::optional<SolveStats> DeviceSolve::solve(Engine& engine, Reduce reduce, Block<double> voltage,
                                             const StopRule& stop) {
  DeviceVectors::Blocks blocks;
  if (!fits([&] { blocks = reduce(); })) return std::nullopt;
  std::optional<SolveStats> stats;
  const auto solve = [&] {  // beside these vectors those of the engine may have no room either
    try {
      stats = engine.solve(blocks.b, blocks.x, stop);
    } catch (const InputError&) {  // entries that the engine scales, which it does on the host
      throw ResourceError("entries are scaled on the host");
    }
  };
  if (!fits(solve) || !fits([&] { vectors_->recover(voltage); })) return std::nullopt;
  return stats;
}

std::optional<SolveStats> DeviceSolve::solve(Engine& engine, Block<const double> injection, Block<double> voltage,
                                             const StopRule& stop) {
  return solve(
      engine, [&] { return vectors_->reduce(injection); }, voltage, stop);
}

std::optional<SolveStats> DeviceSolve::solve_units(Engine& engine, std::span<const int32_t> nodes,
                                                   Block<double> voltage, const StopRule& stop) {
  return solve(
      engine, [&] { return vectors_->reduce_units(nodes); }, voltage, stop);
}

std::vector<FineResidual> DeviceSolve::residuals() {
  std::vector<FineResidual> measured;
  if (!fits([&] { measured = vectors_->residuals(); })) return {};
  return measured;
}

void DeviceSolve::reset() {
  if (vectors_) vectors_->release();
  has_room_ = true;
  has_tables_ = false;
}

void DeviceSolve::release_vectors() {
  if (vectors_) vectors_->release_vectors();
}

}  // namespace gridiron
