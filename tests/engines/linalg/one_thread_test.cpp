// SPDX-License-Identifier: Apache-2.0
#include "linalg/one_thread.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <filesystem>
#include <memory>
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

/// Single-threaded OpenBLAS has no locks, so two solvers must not share it.
TEST(OneThread, BlasHasLocks) {
  const auto parallel = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_parallel"));
  if (!parallel) GTEST_SKIP() << "the BLAS in use is not OpenBLAS";
  EXPECT_NE(parallel(), 0) << "install libopenblas-pthread-dev and configure anew";
  const auto folder = [](const char* symbol) {
    Dl_info info;
    return ::dladdr(dlsym(RTLD_DEFAULT, symbol), &info) ? std::filesystem::path(info.dli_fname).parent_path() : "";
  };
  for (const char* symbol : {"dgemm_", "dpotrf_", "dgetrf_"})
    EXPECT_EQ(folder(symbol), folder("openblas_get_parallel"));
}

TEST(OneThread, TheLastOfSeveralGuardsPutsBackWhatWasThere) {
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  const auto threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  if (!set_threads || !threads) GTEST_SKIP() << "the BLAS in use is not OpenBLAS";
  const int before = threads();
  set_threads(2);
  if (threads() != 2) GTEST_SKIP() << "OpenBLAS has one thread here";
  auto first = std::make_unique<OneThread>();
  EXPECT_EQ(threads(), 1);
  std::thread([] { const OneThread second; }).join();
  EXPECT_EQ(threads(), 1);
  first.reset();
  EXPECT_EQ(threads(), 2);
  set_threads(before);
}

}  // namespace
}  // namespace gridiron
