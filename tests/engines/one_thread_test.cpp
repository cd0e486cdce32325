// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/one_thread.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <omp.h>

namespace gridiron {
namespace {

int threads_of_a_region() {
  int threads = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    threads = omp_get_num_threads();
  }
  return threads;
}

TEST(OneThread, OpenMpRegionsRunOnOneThreadWhileItLives) {
  ASSERT_EQ(threads_of_a_region(), 3);
  {
    const OneThread one_thread;
    EXPECT_EQ(threads_of_a_region(), 1);
  }
  EXPECT_EQ(threads_of_a_region(), 3);
}

TEST(OneThread, OpenBlasUsesOneThreadWhileItLives) {
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  const auto threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  if (!set_threads || !threads) GTEST_SKIP() << "the BLAS in use is not OpenBLAS";
  const int before = threads();
  set_threads(2);
  {
    const OneThread one_thread;
    EXPECT_EQ(threads(), 1);
  }
  EXPECT_EQ(threads(), 2);
  set_threads(before);
}

}  // namespace
}  // namespace gridiron
