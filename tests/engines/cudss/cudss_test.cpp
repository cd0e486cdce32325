// SPDX-License-Identifier: Apache-2.0
// What engine cudss says where it cannot run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/cudss/factorization.hpp"
#include "engines/engine.hpp"
#include "support/error.hpp"
#include "tests/engines/systems.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

template <class Error, class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Cudss, DeclinesInOneLineWhereItCannotRun) {
  const EngineInfo& info = find_engine("cudss");
  EXPECT_EQ(*info.declines(test::unsymmetric(10, 1)), "needs a symmetric positive definite matrix");
  if (cuda_state() == Cuda::ready) GTEST_SKIP() << "here it can run";
  EXPECT_THAT(*info.declines(test::poisson(3)), HasSubstr("runs on a GPU only"));
  EXPECT_THAT(error_of<InputError>([] { choose_engine("cudss", test::poisson(3)); }),
              HasSubstr("engine cudss: runs on a GPU only"));
}

TEST(Cudss, IsRefusedOnTheCpu) {
  const EngineInfo& info = find_engine("cudss");
  EXPECT_THAT(error_of<InputError>([&] { choose_device(info, "cpu"); }), HasSubstr("engine cudss runs on a GPU only"));
  EXPECT_THROW(info.make({})->setup(test::poisson(3)), ResourceError);
}

TEST(Cudss, SettingsAreChecked) {
  const EngineInfo& info = find_engine("cudss");
  EXPECT_THAT(error_of<InputError>([&] { info.make({{"ordering", "amd"}}); }), HasSubstr("geometric"));
  EXPECT_THAT(error_of<InputError>([&] { info.make({{"memory", "disk"}}); }), HasSubstr("host"));
}

TEST(Cudss, IsNeverTheFirstChoice) { EXPECT_NE(choose_engine("auto", test::poisson(3)).name, "cudss"); }

TEST(Cudss, AMissingLibraryIsTold) {
  if (!cudss::why_missing()) GTEST_SKIP() << "cuDSS is here";
  EXPECT_THAT(*cudss::why_missing(), HasSubstr("cuDSS 1.0"));
  EXPECT_THAT(error_of<ResourceError>([] { cudss::Factorization({}, nullptr, {}); }), HasSubstr("cuDSS 1.0"));
}

}  // namespace
}  // namespace gridiron
