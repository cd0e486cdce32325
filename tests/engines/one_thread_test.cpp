// SPDX-License-Identifier: Apache-2.0
#include "engines/direct/one_thread.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <filesystem>
#include <thread>

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

TEST(OneThread, OpenMpRegionsOfItsThreadAloneRunOnOneThreadWhileItLives) {
  ASSERT_EQ(threads_of_a_region(), 3);
  {
    const OneThread one_thread;
    EXPECT_EQ(threads_of_a_region(), 1);
    int elsewhere = 0;
    std::thread([&] { elsewhere = threads_of_a_region(); }).join();
    EXPECT_EQ(elsewhere, 3);
  }
  EXPECT_EQ(threads_of_a_region(), 3);
}

/// The LAPACK and BLAS that CHOLMOD finds must be without threads, whatever else is installed.
TEST(OneThread, BlasHasNoThreadsOfItsOwn) {
  const auto threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_parallel"));
  if (!threads) GTEST_SKIP() << "the BLAS in use is not OpenBLAS";
  EXPECT_EQ(threads(), 0) << "install libopenblas-serial-dev and configure anew";
  const auto folder = [](const char* symbol) {
    Dl_info info;
    return ::dladdr(dlsym(RTLD_DEFAULT, symbol), &info) ? std::filesystem::path(info.dli_fname).parent_path() : "";
  };
  for (const char* symbol : {"dgemm_", "dpotrf_", "dgetrf_"})
    EXPECT_EQ(folder(symbol), folder("openblas_get_parallel"));
}

}  // namespace
}  // namespace gridiron
