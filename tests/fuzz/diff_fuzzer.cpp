// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as the files of two runs, which are read and compared. A line "*** NAME" begins a file of
// the first run, "+++ NAME" one of the second, which is the first one again where it has no file.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "analysis/diff/diff_runs.hpp"
#include "reports/diff_report.hpp"
#include "reports/folder/run_files.hpp"
#include "tests/fuzz/expect_errors.hpp"

namespace gridiron::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNames[] = {"report.json", "nodes.csv", "deck.solution", "other.solution", "manifest.json"};

/// Two folders private to this process.
class Runs {
 public:
  Runs() : path_(fs::temp_directory_path() / ("gridiron_fuzz_" + std::to_string(::getpid()))) {}
  ~Runs() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path before() const { return path_ / "a"; }
  fs::path after() const { return path_ / "b"; }

  void write(std::string_view bytes) const {
    for (const fs::path& run : {before(), after()}) {
      fs::remove_all(run);
      fs::create_directories(run);
    }
    fs::path file;
    std::string text;
    const auto finish = [&] {
      if (!file.empty()) std::ofstream(file, std::ios::binary) << text;
      text.clear();
    };
    while (!bytes.empty()) {
      const size_t length = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
      const std::string_view line = bytes.substr(0, length);
      bytes.remove_prefix(length);
      if (const fs::path begun = file_begun_by(line); begun.empty()) {
        text += line;
      } else {
        finish();
        file = begun;
      }
    }
    finish();
  }

 private:
  fs::path file_begun_by(std::string_view line) const {
    const bool is_before = line.starts_with("*** "), is_after = line.starts_with("+++ ");
    if ((!is_before && !is_after) || !line.ends_with('\n')) return {};
    const std::string_view name = line.substr(4, line.size() - 5);
    if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) return {};
    return (is_before ? before() : after()) / name;
  }

  fs::path path_;
};

void compare(std::string_view bytes) {
  static const Runs runs;
  runs.write(bytes);
  expect_only_errors([&] {
    const RunData before = read_run(runs.before());
    const RunData after = fs::is_empty(runs.after()) ? before : read_run(runs.after());
    for (const RunData* run : {&before, &after}) {
      check(run->drop_v.size() == run->net.size() && run->drop_v.size() == run->layer.size());
      for (const double drop : run->drop_v) check(std::isfinite(drop));
      for (const int32_t net : run->net) check(net >= 0 && net < std::ssize(run->nets));
    }
    const std::vector<ChangeLimit> limits = {parse_change_limit("worst=+1mV"), parse_change_limit("node=+0mV")};
    const RunDiff diff = diff_runs(before, after, limits);
    check(diff.change_v.size() == after.drop_v.size());
    check(!diff_text(before, after, diff).empty());
    const std::string json = diff_json(before, after, diff);
    check(json.find("nan") == json.npos || bytes.find("nan") != bytes.npos);
    for (const ChangeLimitResult& limit : diff.limits) check(!describe(limit).empty());
  });
}

}  // namespace
}  // namespace gridiron::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gridiron::fuzz::compare({reinterpret_cast<const char*>(data), size});
  return 0;
}
