// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/graphs.cuh"
#include "device/cuda/loops.cuh"
#include "device/cuda/memory.cuh"
#include "device/cuda/reductions.cuh"
#include "device/cuda/report.cuh"
#include "device/cuda/sort_and_scan.cuh"
#include "device/cuda/tiles.cuh"

namespace gridiron {

/// Loops on an NVIDIA GPU, in order on the current queue of the calling thread.
struct CudaDevice : CudaMemory, CudaLoops, CudaTiles, CudaReductions, CudaGraphs, CudaSorting {
  static constexpr std::string_view name = "cuda";
  template <class T>
  using Report = CudaReport<T>;
};

static_assert(DeviceSeam<CudaDevice>);

}  // namespace gridiron
