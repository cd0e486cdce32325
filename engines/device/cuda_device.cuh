// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/device/cuda/graphs.cuh"
#include "engines/device/cuda/loops.cuh"
#include "engines/device/cuda/memory.cuh"
#include "engines/device/cuda/reductions.cuh"
#include "engines/device/cuda/report.cuh"
#include "engines/device/cuda/sort_and_scan.cuh"
#include "engines/device/cuda/tiles.cuh"

namespace gridiron {

/// Loops on an NVIDIA GPU, in order on the current queue of the calling thread.
struct CudaDevice : CudaMemory, CudaLoops, CudaTiles, CudaReductions, CudaGraphs, CudaSorting {
  static constexpr std::string_view name = "cuda";
  template <class T>
  using Report = CudaReport<T>;
};

static_assert(DeviceSeam<CudaDevice>);

}  // namespace gridiron
