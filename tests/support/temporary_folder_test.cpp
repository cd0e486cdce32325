// SPDX-License-Identifier: Apache-2.0
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <string>

#include "support/error.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsItsOwnAndGoesWithWhatIsInIt) {
  fs::path first, second;
  try {
    const TemporaryFolder a, b;
    first = a.path();
    second = b.path();
    EXPECT_NE(first, second);
    EXPECT_EQ(fs::status(first).permissions(), fs::perms::owner_all) << "nobody else can put links into it";
    std::ofstream(first / "deck.sp") << "* t\n";
    EXPECT_TRUE(fs::exists(first / "deck.sp"));
    throw InputError("the work failed");
  } catch (const InputError&) {
  }
  EXPECT_FALSE(fs::exists(first));
  EXPECT_FALSE(fs::exists(second));
}

TEST(TemporaryFolder, IsMadeWhereTmpdirSays) {
  const TemporaryFolder folder;
  const char* const before = ::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  fs::path made_elsewhere = folder.path() / "made";
  fs::create_directory(made_elsewhere);
  ::setenv("TMPDIR", made_elsewhere.c_str(), 1);
  EXPECT_EQ(TemporaryFolder().path().parent_path(), made_elsewhere);
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace gridiron
