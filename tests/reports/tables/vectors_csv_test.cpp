// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "reports/tables/csv.hpp"

namespace gridiron {
namespace {

/// A voltage as printed, and the bound beside it, enclose the exact one: also of vectors with a far smaller bound.
TEST(VectorsCsv, HasTheDigitsThatTheLeastBoundTakes) {
  const Circuit circuit = read_netlist_text("* t\nv1 s 0 1000\nr1 s a 1\ni1 a 0 123.456789012345\n.end\n");
  IrReport report = analyse_ir_drop(circuit, {});
  ASSERT_EQ(report.nets.size(), 1u);
  report.certificate.max_error_v = 1e-2;
  for (const double bound_v : {1e-2, 1e-9})
    report.vectors.push_back({.nets = {report.nets[0]}, .bound_v = bound_v, .bounded = true});
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "vectors_of_two_bounds.csv";
  write_vectors_csv(report, path);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  EXPECT_THAT(text.str(), testing::HasSubstr("123.4567890123"));
}

}  // namespace
}  // namespace gridiron
