// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a load file, an archive of arrays if they begin like one, otherwise CSV.
#include <omp.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "netlist/tables/load_table.hpp"
#include "tests/fuzz/expect_errors.hpp"

namespace gridiron::fuzz {
namespace {

/// A file private to this process.
class File {
 public:
  explicit File(const char* extension)
      : path_(std::filesystem::temp_directory_path() / ("gridiron_fuzz_" + std::to_string(::getpid()) + extension)) {}
  ~File() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string with(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }

 private:
  std::filesystem::path path_;
};

void read(std::string_view bytes) {
  static const File archive(".npz"), text(".csv");
  const std::string path = (bytes.starts_with("PK") ? archive : text).with(bytes);
  expect_only_errors([&] {
    const LoadTable table = read_loads(path);
    check(table.vectors >= 0);
    check(table.amperes.size() == table.names.size() * static_cast<size_t>(table.vectors));
    for (size_t i = 0; i < table.names.size(); ++i) check(!table.place(i).empty());
  });
}

}  // namespace
}  // namespace gridiron::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gridiron::fuzz::read({reinterpret_cast<const char*>(data), size});
  return 0;
}
