// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gridiron {

/// Copies numbers to as many, which a thread on another core reads: past the caches, where the processor can, so that
/// this core does not wait for the lines that the other one has read before.
inline void copy_past_caches(std::span<const double> from, std::span<double> to) {
  const size_t n = from.size();
#ifdef __SSE2__
  size_t i = 0;
  for (; i < n && reinterpret_cast<uintptr_t>(to.data() + i) % sizeof(__m128d) != 0; ++i) to[i] = from[i];
  for (; i + 2 <= n; i += 2) _mm_stream_pd(to.data() + i, _mm_loadu_pd(from.data() + i));
  for (; i < n; ++i) to[i] = from[i];
  _mm_sfence();
#else
  std::copy_n(from.data(), n, to.data());
#endif
}

}  // namespace gridiron
