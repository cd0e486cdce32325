// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <omp.h>

#include <vector>

#include "layout/read_layout.hpp"

namespace gridiron::layout::test {

/// The first net of a layout has the same network on one, two and four threads.
inline void expect_same_on_any_number_of_threads(const LayoutFiles& files) {
  const int threads = omp_get_max_threads();
  std::vector<Network> results;
  for (const int n : {1, 2, 4}) {
    omp_set_num_threads(n);
    results.push_back(read_layout(files).grids[0].network);
  }
  omp_set_num_threads(threads);
  for (size_t k = 1; k < results.size(); ++k) {
    EXPECT_EQ(results[k].node_place, results[0].node_place);
    EXPECT_EQ(results[k].from, results[0].from);
    EXPECT_EQ(results[k].to, results[0].to);
    EXPECT_EQ(results[k].ohm, results[0].ohm);
    EXPECT_EQ(results[k].terminal_node, results[0].terminal_node);
    EXPECT_EQ(results[k].piece_node, results[0].piece_node);
  }
}

}  // namespace gridiron::layout::test
