// SPDX-License-Identifier: Apache-2.0
// The tables that engines build on devices, for real and generated grids.
#include <gtest/gtest.h>

#include <filesystem>

#include "analysis/run/ir_drop.hpp"
#include "device/checking_device.hpp"
#include "device/cpu_device.hpp"
#include "netlist/generator.hpp"
#include "netlist/reader.hpp"
#include "tests/data.hpp"
#include "tests/engines/hybrid/regularize_checks.hpp"

namespace gridiron {
namespace {

template <class D>
void expect_tables_of_the_host(const std::string& deck) {
  const Circuit circuit = read_netlist(deck);
  const System system(make_design(circuit));
  for (const bool single_plane : {false, true})
    test::regularizes_like_the_host<D>(*system.problem(), {.grid_scale = 1.5, .single_plane = single_plane, .tile = 1});
}

class PublishedGrids : public testing::TestWithParam<const char*> {};

TEST_P(PublishedGrids, HaveTheSameTablesOnADevice) {
  GRIDIRON_DATA_OR_SKIP(deck, GetParam());
  expect_tables_of_the_host<CpuDevice>(deck);
}
INSTANTIATE_TEST_SUITE_P(Decks, PublishedGrids,
                         testing::Values("ibm/ibmpg1.spice.bz2", "ibm/ibmpg2.spice.bz2",
                                         "iccad23/testcase1/netlist.sp.gz", "openroad/gcd_vss.sp"));

TEST(GeneratedGrids, HaveTheSameTablesOnADevice) {
  for (const char* style : {"ibm", "openroad"}) {
    GeneratorOptions options;
    options.style = style;
    options.nodes = 20'000;
    const std::filesystem::path deck = std::filesystem::path(testing::TempDir()) / "gridiron_regularize_on.sp";
    generate(options, deck);
    expect_tables_of_the_host<CpuDevice>(deck);
    expect_tables_of_the_host<CheckingDevice>(deck);
    std::filesystem::remove(deck);
  }
}

}  // namespace
}  // namespace gridiron
