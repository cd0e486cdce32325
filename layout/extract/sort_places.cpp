// SPDX-License-Identifier: Apache-2.0
#include "layout/extract/sort_places.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

bool is_before(const KeyedPlace& a, const KeyedPlace& b) { return a.key < b.key; }

uint32_t high_half(PlaceKey key) { return static_cast<uint32_t>(key >> 32); }
uint32_t low_half(PlaceKey key) { return static_cast<uint32_t>(key); }

/// Keys of some places as numbers of few bits in the same order: x and y count from the least of each.
class ShortKeys {
 public:
  explicit ShortKeys(std::span<const KeyedPlace> places)
      : least_x_(high_half(places[0].key)), least_y_(low_half(places[0].key)) {
    uint32_t most_x = least_x_, most_y = least_y_;
    for (const KeyedPlace& p : places) {
      const uint32_t x = high_half(p.key), y = low_half(p.key);
      least_x_ = std::min(least_x_, x), most_x = std::max(most_x, x);
      least_y_ = std::min(least_y_, y), most_y = std::max(most_y, y);
    }
    bits_of_y_ = static_cast<int>(std::bit_width(most_y - least_y_));
    bits_ = bits_of_y_ + static_cast<int>(std::bit_width(most_x - least_x_));
  }

  int bits() const { return bits_; }
  uint64_t operator()(PlaceKey key) const {
    return uint64_t{high_half(key) - least_x_} << bits_of_y_ | (low_half(key) - least_y_);
  }

 private:
  uint32_t least_x_, least_y_;
  int bits_of_y_, bits_;
};

/// Digit by digit from the lowest one.
void sort_by_digits(std::span<KeyedPlace> places, std::span<KeyedPlace> scratch) {
  constexpr int kMostBits = 10, kMostDigits = (64 + kMostBits - 1) / kMostBits;
  const ShortKeys short_key(places);
  const int digits = (short_key.bits() + kMostBits - 1) / kMostBits;
  if (digits == 0) return;
  const int bits = (short_key.bits() + digits - 1) / digits;
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  std::array<std::array<uint32_t, size_t{1} << kMostBits>, kMostDigits> next;
  for (int d = 0; d < digits; ++d) std::fill_n(next[d].begin(), mask + 1, 0);
  for (const KeyedPlace& p : places) {
    uint64_t rest = short_key(p.key);
    for (int d = 0; d < digits; ++d, rest >>= bits) ++next[d][rest & mask];
  }
  std::span<KeyedPlace> from = places, to = scratch;
  for (int d = 0; d < digits; ++d) {
    uint32_t all = 0;
    for (uint64_t digit = 0; digit <= mask; ++digit) all += std::exchange(next[d][digit], all);
    for (const KeyedPlace& p : from) to[next[d][short_key(p.key) >> (d * bits) & mask]++] = p;
    std::swap(from, to);
  }
  if (from.data() != places.data()) std::copy(from.begin(), from.end(), places.begin());
}

/// Ranges of keys with about as many places each. A table by the high bits of the keys tells nearly where to look.
class Buckets {
 public:
  Buckets(const std::vector<KeyedPlace>& places, int64_t buckets) {
    constexpr int64_t kSamples = 8;
    constexpr int kBitsOfTable = 14;
    const auto n = std::ssize(places);
    std::vector<PlaceKey> samples;
    for (int64_t i = 0; i < kSamples * buckets; ++i) samples.push_back(places[i * n / (kSamples * buckets)].key);
    std::sort(samples.begin(), samples.end());
    for (int64_t b = 1; b < buckets; ++b) bounds_.push_back(samples[kSamples * b]);
    least_ = bounds_.front();
    shift_ = std::max(0, static_cast<int>(std::bit_width(bounds_.back() - least_)) - kBitsOfTable);
    first_.assign((size_t{1} << kBitsOfTable) + 1, 0);
    for (const PlaceKey bound : bounds_) ++first_[cell_of(bound) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  int64_t size() const { return std::ssize(bounds_) + 1; }
  uint16_t of(PlaceKey key) const {
    if (key < bounds_.front()) return 0;
    if (key >= bounds_.back()) return static_cast<uint16_t>(bounds_.size());
    const uint64_t cell = cell_of(key);
    const auto after = std::upper_bound(bounds_.begin() + first_[cell], bounds_.begin() + first_[cell + 1], key);
    return static_cast<uint16_t>(after - bounds_.begin());
  }

 private:
  uint64_t cell_of(PlaceKey key) const { return (key - least_) >> shift_; }

  std::vector<PlaceKey> bounds_;  ///< the least key of each bucket but the first
  PlaceKey least_;
  int shift_;
  std::vector<uint16_t> first_;  ///< bound of each cell of the table
};

}  // namespace

void sort_places(std::span<KeyedPlace> places, std::span<KeyedPlace> scratch) {
  constexpr size_t kFew = 64;
  if (std::is_sorted(places.begin(), places.end(), is_before)) return;
  if (places.size() <= kFew) return std::stable_sort(places.begin(), places.end(), is_before);
  sort_by_digits(places, scratch);
}

void sort_places(std::vector<KeyedPlace>& places) {
  constexpr int64_t kFew = 1 << 14, kInBucket = 1 << 12;
  const auto n = static_cast<int64_t>(places.size());
  if (holds_for_all(n - 1, [&](int64_t i) { return !is_before(places[i + 1], places[i]); })) return;
  std::vector<KeyedPlace> sorted;
  resize_untouched(sorted, places.size());
  if (n <= kFew) return sort_places(std::span(places), std::span(sorted));

  const Buckets buckets(places, std::min<int64_t>(n / kInBucket, 1 << 12));
  std::vector<uint16_t> bucket;
  resize_untouched(bucket, places.size());
  parallel_each(n, [&](int64_t i) { bucket[i] = buckets.of(places[i].key); });
  const auto bucket_of = [&](int64_t i) { return int64_t{bucket[i]}; };
  const GroupedByKey dealt(n, buckets.size(), bucket_of);
  dealt.for_each_place(bucket_of, [&](int64_t i, int64_t place) { sorted[place] = places[i]; });
  parallel_tasks(buckets.size(), [&](int64_t b) {
    const auto first = static_cast<size_t>(dealt.start(b));
    const size_t size = static_cast<size_t>(dealt.start(b + 1)) - first;
    sort_places(std::span(sorted).subspan(first, size), std::span(places).subspan(first, size));
  });
  places.swap(sorted);
}

}  // namespace gridiron::layout
