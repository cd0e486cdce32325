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
  constexpr std::int64_t kFew = 1 << 14, kInBucket = 1 << 12, kSamples = 8;
  const auto n = static_cast<std::int64_t>(places.size());
  if (std::is_sorted(places.begin(), places.end(), is_before)) return;
  if (n <= kFew) return std::sort(places.begin(), places.end(), is_before);

  // Buckets of about equal size, bounded by some of the places, which are then sorted each for itself.
  const std::int64_t buckets = std::min<std::int64_t>(n / kInBucket, 1 << 12);
  std::vector<KeyedPlace> bounds;
  for (std::int64_t i = 0; i < kSamples * buckets; ++i) bounds.push_back(places[i * n / (kSamples * buckets)]);
  std::sort(bounds.begin(), bounds.end(), is_before);
  for (std::int64_t b = 1; b < buckets; ++b) bounds[b - 1] = bounds[kSamples * b];
  bounds.resize(static_cast<std::size_t>(buckets) - 1);

  std::vector<std::uint16_t> bucket;
  resize_untouched(bucket, places.size());
  parallel_each(n, [&](std::int64_t i) {
    bucket[i] = static_cast<std::uint16_t>(std::upper_bound(bounds.begin(), bounds.end(), places[i], is_before) -
                                           bounds.begin());
  });
  const auto bucket_of = [&](std::int64_t i) { return std::int64_t{bucket[i]}; };
  const GroupedByKey dealt(n, buckets, bucket_of);
  std::vector<KeyedPlace> sorted;
  resize_untouched(sorted, places.size());
  dealt.for_each_place(bucket_of, [&](std::int64_t i, std::int64_t place) { sorted[place] = places[i]; });
  parallel_tasks(buckets, [&](std::int64_t b) {
    std::sort(sorted.begin() + dealt.start(b), sorted.begin() + dealt.start(b + 1), is_before);
  });
  places.swap(sorted);
}

}  // namespace gridiron::layout
