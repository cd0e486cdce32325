// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/sort_places.hpp"

#include <algorithm>
#include <tuple>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

bool is_before(const KeyedPlace& a, const KeyedPlace& b) { return std::tie(a.key, a.index) < std::tie(b.key, b.index); }

}  // namespace

void sort_places(std::vector<KeyedPlace>& places) {
  constexpr int64_t kFew = 1 << 14, kInBucket = 1 << 12, kSamples = 8;
  const auto n = static_cast<int64_t>(places.size());
  if (holds_for_all(n - 1, [&](int64_t i) { return !is_before(places[i + 1], places[i]); })) return;
  if (n <= kFew) return std::sort(places.begin(), places.end(), is_before);

  // Buckets of about equal size, bounded by some of the places, which are then sorted each for itself.
  const int64_t buckets = std::min<int64_t>(n / kInBucket, 1 << 12);
  std::vector<KeyedPlace> bounds;
  for (int64_t i = 0; i < kSamples * buckets; ++i) bounds.push_back(places[i * n / (kSamples * buckets)]);
  std::sort(bounds.begin(), bounds.end(), is_before);
  for (int64_t b = 1; b < buckets; ++b) bounds[b - 1] = bounds[kSamples * b];
  bounds.resize(static_cast<size_t>(buckets) - 1);

  std::vector<uint16_t> bucket;
  resize_untouched(bucket, places.size());
  parallel_each(n, [&](int64_t i) {
    bucket[i] =
        static_cast<uint16_t>(std::upper_bound(bounds.begin(), bounds.end(), places[i], is_before) - bounds.begin());
  });
  const auto bucket_of = [&](int64_t i) { return int64_t{bucket[i]}; };
  const GroupedByKey dealt(n, buckets, bucket_of);
  std::vector<KeyedPlace> sorted;
  resize_untouched(sorted, places.size());
  dealt.for_each_place(bucket_of, [&](int64_t i, int64_t place) { sorted[place] = places[i]; });
  parallel_tasks(buckets, [&](int64_t b) {
    std::sort(sorted.begin() + dealt.start(b), sorted.begin() + dealt.start(b + 1), is_before);
  });
  places.swap(sorted);
}

}  // namespace gridiron::layout
