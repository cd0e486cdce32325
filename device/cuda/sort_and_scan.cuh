// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thrust/binary_search.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "device/cuda/thrust_policy.cuh"

namespace gridiron {

/// Prefix sums and grouping by keys, with Thrust and CUB.
struct CudaSorting {
  template <class In, class Out>
  static Out exclusive_scan(PlainView<In> in, PlainView<Out> out) {
    const int64_t n = in.size();
    check(cudaMemsetAsync(out.data(), 0, sizeof(Out), CudaMemory::stream()));
    thrust::inclusive_scan(thrust_policy(), in.data(), in.data() + n, out.data() + 1, thrust::plus<Out>());
    Out total = 0;
    CudaMemory::copy_to_host(&total, out.data() + n, 1);
    return total;
  }
  static void group_by(PlainView<const int32_t> key, int64_t groups, PlainView<int32_t> begin,
                       PlainView<int32_t> order) {
    const int64_t n = key.size();
    Array<CudaMemory, int32_t> sorted(n), sequence(n);
    int32_t *const keys = sorted.view().data(), *const indices = sequence.view().data();
    thrust::sequence(thrust_policy(), indices, indices + n);
    const int bits = std::clamp(static_cast<int>(std::bit_width(static_cast<uint64_t>(groups))), 1, 31);
    const auto sort = [&](void* scratch, size_t& bytes) {
      check(cub::DeviceRadixSort::SortPairs(scratch, bytes, key.data(), keys, indices, order.data(), n, 0, bits,
                                            CudaMemory::stream()));
    };
    size_t bytes = 0;
    sort(nullptr, bytes);
    Array<CudaMemory, char> scratch(static_cast<int64_t>(bytes));
    sort(scratch.view().data(), bytes);
    const thrust::counting_iterator<int32_t> first(0);
    thrust::lower_bound(thrust_policy(), keys, keys + n, first, first + groups + 1, begin.data());
  }
};

}  // namespace gridiron
