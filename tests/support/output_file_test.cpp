// SPDX-License-Identifier: Apache-2.0
// Files are written atomically.
#include "support/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <future>
#include <sstream>

#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  Folder() : path_(test::temporary("output")) { fs::create_directories(path_); }
  ~Folder() override { fs::remove_all(path_); }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  fs::path path_;
};

TEST_F(Folder, OutputFolderGoesAwayUnlessUsed) {
  { const OutputFolder nothing(""); }
  {
    const OutputFolder folder(path_ / "a" / "b");
    EXPECT_TRUE(fs::is_directory(path_ / "a" / "b"));
  }
  EXPECT_EQ(files(), 0u) << "nor what was made above it";
  {
    const OutputFolder folder(path_ / "a" / "b");
    write_file(path_ / "a" / "b" / "file", "text");
  }
  EXPECT_TRUE(fs::exists(path_ / "a" / "b" / "file"));
  { const OutputFolder folder(path_ / "a"); }
  EXPECT_TRUE(fs::exists(path_ / "a" / "b" / "file")) << "what was there stays";
  EXPECT_THROW(OutputFolder(path_ / "a" / "b" / "file"), InputError);
  EXPECT_THROW(OutputFolder(path_ / "a" / "b" / "file" / "c"), InputError);
  EXPECT_THROW(OutputFolder(path_ / "a" / "b" / "file" / "c" / "d"), InputError) << "nothing can be below a file";
}

TEST_F(Folder, WhereNoFileCanBeIsInvalidInput) {
  fs::create_directories(path_ / "folder");
  write_file(path_ / "file", "text");
  fs::create_symlink(path_ / "none" / "x", path_ / "link");
  for (const char* name : {"folder", "folder/", "new/", "none/x", "file/x", "link"}) {
    EXPECT_THROW(require_file_name(path_ / name), InputError) << name;
    EXPECT_THROW(OutputFile(path_ / name), InputError) << name;
  }
  for (const char* name : {"new", "file", "folder/new"}) EXPECT_NO_THROW(require_file_name(path_ / name)) << name;
  EXPECT_NO_THROW(require_file_name("new"));
  EXPECT_NO_THROW(require_file_name("/dev/stdout"));
  EXPECT_EQ(files(), 3u);
}

TEST_F(Folder, CommitNamesTheFileAndReplacesAnOlderOne) {
  write_file(path_ / "a.txt", "old");
  OutputFile file(path_ / "a.txt");
  file.write("new ");
  file.write(std::string(3 << 20, 'x'));
  EXPECT_EQ(fs::file_size(path_ / "a.txt"), 3u);
  file.commit();
  EXPECT_EQ(fs::file_size(path_ / "a.txt"), 4u + (3u << 20));
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, LongAndShortTextStaysInOrder) {
  std::string all;
  OutputFile file(path_ / "a.txt");
  for (const size_t size : {1, 40000, 2, 1 << 15, (1 << 15) + 1, 5, 3 << 20, 7}) {
    const std::string text(size, static_cast<char>('a' + all.size() % 26));
    all += text;
    file.write(text);
  }
  file.commit();
  EXPECT_TRUE(read(path_ / "a.txt") == all);
}

TEST_F(Folder, WithoutCommitNothingAppears) {
  { OutputFile(path_ / "a.txt").write("half"); }
  EXPECT_EQ(files(), 0u);
}

TEST_F(Folder, AKilledProcessLeavesNothing) {
  const pid_t child = ::fork();
  if (child == 0) {
    OutputFile file(path_ / "a.txt");
    file.write(std::string(5 << 20, 'x'));
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 0u);
}

TEST_F(Folder, FailuresNameTheFile) {
  EXPECT_THROW(OutputFile(path_ / "missing" / "a.txt"), InputError);
  fs::create_directories(path_ / "taken" / "inner");
  EXPECT_THROW(write_file(path_ / "taken", "text"), InputError) << "a folder stands in the way";
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, ASymbolicLinkStaysAndItsTargetIsReplaced) {
  fs::create_directories(path_ / "elsewhere");
  write_file(path_ / "elsewhere" / "real.txt", "old");
  fs::create_symlink("elsewhere/real.txt", path_ / "link.txt");
  fs::create_symlink("elsewhere/new.txt", path_ / "dangling.txt");
  write_file(path_ / "link.txt", "new");
  write_file(path_ / "dangling.txt", "first");
  EXPECT_TRUE(fs::is_symlink(path_ / "link.txt") && fs::is_symlink(path_ / "dangling.txt"));
  EXPECT_EQ(read(path_ / "elsewhere" / "real.txt"), "new");
  EXPECT_EQ(read(path_ / "elsewhere" / "new.txt"), "first");
}

TEST_F(Folder, APipeIsWrittenToAndStays) {
  const fs::path pipe = path_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  auto reader = std::async(std::launch::async, [&] { return read(pipe); });
  write_file(pipe, "through");
  EXPECT_EQ(reader.get(), "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
  write_file("/dev/null", "nothing");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_file("/dev/full", "text"), ResourceError);
}

TEST(SharedMemory, IsAFileSystemLikeOthers) {
  const fs::path file = "/dev/shm" / fs::path("gridiron-" + std::to_string(::getpid()));
  if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP();
  write_file(file, "old");
  write_file(file, "new");
  EXPECT_EQ(fs::file_size(file), 3u);
  EXPECT_TRUE(fs::remove(file));
}

TEST_F(Folder, WhatTheKernelNamesIsWrittenInPlace) {
  const fs::path real = path_ / "real.txt";
  const int open_file = ::open(real.c_str(), O_RDWR | O_CREAT, 0600);
  for (const std::string& name : {fmt::format("/dev/fd/{}", open_file), fmt::format("/proc/self/fd/{}", open_file)}) {
    write_file(name, "text");
    struct stat status {
    }, of_file{};
    ::fstat(open_file, &status);
    ::stat(real.c_str(), &of_file);
    EXPECT_EQ(status.st_ino, of_file.st_ino) << "not another file of that name";
    EXPECT_EQ(read(real), "text");
  }
  ::close(open_file);
}

/// A list as RunFolder is one.
struct Entries : FileList {
  std::vector<std::string> entries;
  void begin(const fs::path& path) override { entries.push_back("begin " + path.filename().string()); }
  void enter(const fs::path& path, int64_t bytes, const std::string& sha256) override {
    EXPECT_FALSE(fs::exists(path)) << "before it has its name";
    entries.push_back(fmt::format("{} {} {}", path.filename().string(), bytes, sha256.substr(0, 8)));
  }
};

TEST_F(Folder, TheListIsToldWithTheChecksum) {
  Entries list;
  const OutputPath folder(path_, &list);
  OutputFile file(folder / "abc");
  file.write("a");
  file.write("bc");
  file.commit();
  { OutputFile(folder / "half").write("half"); }
  EXPECT_EQ(list.entries, (std::vector<std::string>{"begin abc", "abc 3 ba7816bf", "begin half"}));
}

TEST(DiskFull, IsAResourceErrorAndLeavesNothing) {
  // A limit on the file size stands in for a full disk: the write fails midway.
  const fs::path folder = test::temporary("full");
  fs::create_directories(folder);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{1 << 20, limit.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(write_file(folder / "a.txt", std::string(4 << 20, 'x')), ResourceError);
  ::setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_TRUE(fs::is_empty(folder));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace gridiron
