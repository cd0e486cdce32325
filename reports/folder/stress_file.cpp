// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/stress_file.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "analysis/results/stress/stress_report.hpp"
#include "reports/tables/csv_reader.hpp"
#include "support/error_text.hpp"
#include "support/number_in.hpp"

namespace gridiron {
namespace {

/// Rows of a table about trees, which has its number first.
class TreeRows {
 public:
  TreeRows(const std::filesystem::path& path, const std::string& text, size_t columns, std::string_view last)
      : path_(path), csv_(text), columns_(columns) {
    if (!csv_.next() || csv_.fields().size() < columns || csv_.fields()[columns - 1] != last)
      throw input_error("{}: is no {} of Gridiron: the header is another one", path.string(),
                        path.stem() == "stress" ? "stress.csv" : "nucleation.csv");
  }

  bool next() {
    if (!csv_.next()) return false;
    if (csv_.fields().size() < columns_ || csv_.is_cut_off()) fail("the row is cut off");
    return true;
  }
  int32_t tree() const {
    const std::optional<int32_t> number = number_in<int32_t>(csv_.fields()[0]);
    if (!number || *number < 0) fail("the number of the tree is none");
    return *number;
  }
  std::string name(size_t column) const { return std::string(csv_name(csv_.fields()[column])); }
  /// `otherwise` where the field is empty.
  double number(size_t column, double otherwise) const {
    if (csv_.fields()[column].empty()) return otherwise;
    const std::optional<double> value = number_in<double>(csv_.fields()[column]);
    if (!value) fail("a field is no number");
    return *value;
  }
  [[noreturn]] void fail(std::string_view why) const {
    throw input_error("{}: line {}: {}", path_.string(), csv_.line(), why);
  }

 private:
  const std::filesystem::path& path_;
  CsvReader csv_;
  size_t columns_;
};

}  // namespace

RunData::Metal metal_in(const std::filesystem::path& path, const std::string& text, const RunData& run) {
  constexpr size_t kNode = 1, kLayer = 2, kStress = 5, kBound = 6, kVerdict = 7;
  RunData::Metal metal;
  metal.tree.assign(run.net.size(), -1);
  for (TreeRows rows(path, text, kVerdict + 1, "verdict"); rows.next();) {
    const int32_t number = rows.tree(), row = run.names.find(rows.name(kNode));
    if (row < 0) rows.fail("the run has no such node");
    if (number > std::ssize(metal.trees)) rows.fail("a tree before this one is missing");
    if (number == std::ssize(metal.trees)) metal.trees.emplace_back();
    metal.tree[row] = number;
    RunData::MetalTree& tree = metal.trees[number];
    const double stress_pa = rows.number(kStress, NAN);
    if (!tree.node.empty() && !(stress_pa > tree.stress_pa)) continue;
    tree.node = rows.name(kNode);
    tree.layer = rows.name(kLayer);
    tree.stress_pa = stress_pa, tree.bound_pa = rows.number(kBound, NAN);
    tree.is_mortal = rows.name(kVerdict) == verdict_name(StressVerdict::mortal);
  }
  return metal;
}

void add_voids(const std::filesystem::path& path, const std::string& text, double horizon_s, RunData::Metal& metal) {
  constexpr size_t kNode = 3, kTime = 6, kError = 7, kVerdict = 8;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  metal.horizon_s = horizon_s;
  for (TreeRows rows(path, text, kVerdict + 1, "verdict"); rows.next();) {
    const int32_t number = rows.tree();
    if (number >= std::ssize(metal.trees)) rows.fail("stress.csv has no such tree");
    RunData::MetalTree& tree = metal.trees[number];
    tree.void_node = rows.name(kNode);
    tree.time_s = rows.number(kTime, kNever), tree.error_s = rows.number(kError, kNever);
    tree.is_open = !tree.void_node.empty() && !(tree.time_s <= horizon_s);
  }
}

}  // namespace gridiron
