// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "analysis/certify/error_bound.hpp"
#include "engines/engine.hpp"
#include "regularize/eliminate.hpp"

namespace gridiron {

/// The vectors of a solve, and what leads from injections to voltages and measures their residuals, in the memory of
/// the device that an engine runs on: only injections are copied to it, and only voltages from it. Errors:
/// ResourceError and std::bad_alloc; release() then.
class DeviceVectors {
 public:
  virtual ~DeviceVectors() = default;

  virtual bool is_on_gpu() const = 0;
  /// Where engines must work (Context::stream).
  virtual void* stream() const = 0;
  virtual int64_t bytes() const = 0;

  /// What all solves of a system share, in place of the one before. The bound is of the network, with a barrier without
  /// levels.
  virtual void take(const Elimination& elimination, const MergedNetwork& network, const ErrorBound& bound) = 0;

  /// Frees everything but the stream; the next call is take().
  virtual void release() = 0;
  /// Frees the vectors; the next call is reduce() or take().
  virtual void release_vectors() = 0;

  /// The right-hand sides for injections of the merged network, A, nodes × k in host memory, and room for the unknowns.
  struct Blocks {
    Block<const double> b;
    Block<double> x;
  };
  virtual Blocks reduce(Block<const double> injection) = 0;
  /// The same for 1 A into each of these nodes, one per column; −1: none.
  virtual Blocks reduce_units(std::span<const int32_t> nodes) = 0;
  /// From the unknowns the voltages of all nodes, V, nodes × k in host memory.
  virtual void recover(Block<double> voltage) = 0;
  /// Of these voltages for these injections, one per column; as ErrorBound::bound() takes it.
  virtual std::vector<FineResidual> residuals() = 0;
};

std::unique_ptr<DeviceVectors> make_vectors_on_host();
/// On this cudaStream_t; null: on a new one. Errors: ResourceError in a build without CUDA.
std::unique_ptr<DeviceVectors> make_vectors_on_cuda(void* stream);

/// Makes the vectors of a solver whose engine runs on a GPU or not; null: they stay on the host.
using MakeVectors = std::function<std::unique_ptr<DeviceVectors>(bool is_on_gpu, void* stream)>;
/// They are on the GPU if the engine runs there.
std::unique_ptr<DeviceVectors> vectors_on_engine_device(bool is_on_gpu, void* stream);

}  // namespace gridiron
