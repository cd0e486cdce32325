// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any text goes through the reader and, if it is a small circuit, through check and ir. Only
// gridiron::Error may be thrown; anything else (crash, hang, leak, sanitizer report, other exception) is a finding.
// A first byte from 1 to 7 chooses --dialect; the rest of that line is what --top takes and, behind a blank,
// --node-pattern.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "analysis/run/ir_drop.hpp"
#include "netlist/names/node_place.hpp"
#include "netlist/reader.hpp"
#include "tests/fuzz/expect_errors.hpp"

namespace gridiron {
namespace {

using fuzz::check;
using fuzz::expect_only_errors;

constexpr int64_t kMostNodes = 400, kMostElements = 2000;
constexpr ptrdiff_t kMostInstanceCards = 12;  // 3⁴ instances at most; larger explosions have separate tests

/// A folder private to this process, where include cards look for files.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("gridiron_fuzz_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// a.sp, and b.sp from a line "*** b.sp" on. Returns the path of a.sp.
  std::string write(std::string_view text) const {
    const size_t split = std::min(text.find("*** b.sp\n"), text.size());
    std::ofstream(path_ / "a.sp", std::ios::binary) << text.substr(0, split);
    std::ofstream(path_ / "b.sp", std::ios::binary) << text.substr(split);
    return path_ / "a.sp";
  }

 private:
  std::filesystem::path path_;
};

/// How a text asks to be read.
struct Asked {
  ReadOptions reading;
  std::string node_pattern;
};

/// Takes the line of options off a text that has one.
Asked take_options(std::string_view& text) {
  Asked asked;
  if (text.empty() || text[0] < 1 || text[0] > static_cast<char>(kDialects)) return asked;
  asked.reading.dialect = static_cast<Dialect>(text[0] - 1);
  const std::string_view line = text.substr(1, std::min(text.find('\n'), text.size()) - 1);
  text.remove_prefix(std::min(text.size(), line.size() + 2));
  const size_t blank = std::min(line.find(' '), line.size());
  asked.reading.top = line.substr(0, blank);
  if (blank < line.size()) asked.node_pattern = line.substr(blank + 1);
  return asked;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

void analyse(const Circuit& circuit, const std::string& node_pattern) {
  if (circuit.node_count() > kMostNodes || circuit.element_count() > kMostElements) return;
  const NodePlaces places = place_nodes(circuit, std::nullopt, node_pattern);
  for (const int32_t layer : places.layer) check(layer < static_cast<int32_t>(places.layers.size()));
  for (int k = 0; k < kKinds; ++k)
    for (int64_t i = 0; i < circuit.elements(static_cast<Kind>(k)).size(); ++i)
      check(!circuit.element_name(static_cast<Kind>(k), i).empty());
  DesignOptions design;
  design.node_pattern = node_pattern;
  check_netlist(circuit, design);
  for (const bool reduce : {true, false}) {
    IrOptions options;
    options.reduce = reduce;
    options.node_pattern = node_pattern;
    const IrReport result = analyse_ir_drop(circuit, options);
    if (!tolerance_miss(result, options).empty()) continue;
    for (const double volts : result.nodes.voltage_v) check(std::isfinite(volts));
  }
}

void read_and_analyse(std::string_view data) {
  const Asked asked = take_options(data);
  const std::string text = lower(data);
  ptrdiff_t instance_cards = 0;
  for (size_t i = 0; i < text.size(); ++i)
    instance_cards += text[i] == 'x' && (i == 0 || std::string_view("\n \t\r").find(text[i - 1]) != std::string::npos);
  if (instance_cards > kMostInstanceCards) return;
  const auto has = [&text](std::string_view word) { return text.find(word) != std::string::npos; };
  const bool has_includes = has(".inc") || has(".lib") || has("file");
  if (has_includes && text.find('/') != std::string::npos) return;  // neither devices nor home directories
  static const Folder folder;
  const std::string path = has_includes ? folder.write(data) : "";
  for (const bool lenient : {false, true}) {
    expect_only_errors([&] {
      ReadOptions options = asked.reading;
      options.lenient = lenient;
      const Circuit circuit =
          has_includes ? read_netlist(path, options) : read_netlist_text(std::string(data), "fuzz", options);
      analyse(circuit, asked.node_pattern);
    });
  }
}

}  // namespace
}  // namespace gridiron

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gridiron::read_and_analyse({reinterpret_cast<const char*>(data), size});
  return 0;
}
