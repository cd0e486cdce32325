// SPDX-License-Identifier: Apache-2.0
#pragma once

// The search for weak parts on every device, against the host's. Functions, not tests: see device_checks.hpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "linalg/weak_clusters.hpp"
#include "tests/engines/device/device_checks.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron::test {

/// Small integers, so that sums are exact in any order; runs shorter and longer than what a thread takes.
template <class D>
void adds_runs() {
  for (const int64_t n : kSizes)
    for (const int64_t longest : {1, 5, 100, 10'000}) {
      std::mt19937 random(static_cast<unsigned>(n + longest));
      std::vector<int32_t> keys;
      for (int32_t key = 0; static_cast<int64_t>(keys.size()) < n; ++key)
        keys.insert(keys.end(), std::min(1 + random() % longest, n - keys.size()), key);
      std::vector<double> expected(n + 1, 1.0);
      for (int64_t p = 0; p < n; ++p) expected[keys[p]] += static_cast<double>(p % 10);
      const Array<D, int32_t> key_array(keys);
      Array<D, double> sums(std::vector<double>(n + 1, 1.0));
      const View<D, const int32_t> key = key_array.view();
      add_runs<D, double>(
          n,
          GRIDIRON_KERNEL(int64_t p) {
            return KeyedSum<double>{key[p], static_cast<double>(p % 10)};
          },
          sums.view());
      ASSERT_EQ(sums.to_host(), expected) << n << " elements, runs up to " << longest;
    }
}

/// A network of `count` chains of up to `longest` unknowns, numbered at random, each with a pad of 1 at one end.
inline Rows padded_chains(int32_t count, int32_t longest, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int32_t> length(count);
  for (int32_t& l : length) l = 1 + static_cast<int32_t>(random() % longest);
  std::vector<int32_t> number(std::accumulate(length.begin(), length.end(), 0));
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  Rows rows(number.size());
  for (int32_t c = 0, first = 0; c < count; first += length[c++]) {
    rows[number[first]][number[first]] += 1;
    for (int32_t k = first; k + 1 < first + length[c]; ++k) {
      const int32_t i = number[k], j = number[k + 1];
      rows[i][i] += 2, rows[j][j] += 2, rows[i][j] -= 2, rows[j][i] -= 2;
    }
  }
  return rows;
}

template <class D>
void finds_weak_clusters() {
  for (const auto& [count, longest] : {std::pair{1, 1}, {1, 300}, {700, 9}, {40, 2000}}) {
    Rows rows = padded_chains(count, longest, static_cast<unsigned>(count));
    const auto is_weak = [&] {
      const Problem problem = problem_of(rows);
      const bool found = has_weak_clusters(SellMatrix<D>(problem.matrix));
      EXPECT_EQ(found, !find_weak_parts(problem.matrix).empty());
      return found;
    };
    EXPECT_FALSE(is_weak()) << count << " chains";
    // The pad of the chain that unknown 0 is in becomes too weak to be seen in single precision.
    const std::vector<int32_t> root = clusters_of_rows(SellMatrix<D>(problem_of(rows).matrix)).to_host();
    for (size_t i = 0; i < rows.size(); ++i) {
      double excess = 0;
      for (const auto& [j, value] : rows[i]) excess += value;
      if (root[i] == root[0] && excess > 0.5) rows[i][i] += 1e-9 - 1;
    }
    if (rows[0].size() > 1) {
      EXPECT_TRUE(is_weak()) << count << " chains";
    }
  }
}

}  // namespace gridiron::test
