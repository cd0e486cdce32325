// SPDX-License-Identifier: Apache-2.0
// A run on any number of threads: the same bits, and the figures of plain passes over its nodes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "analysis/results/net_statistics.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/generator.hpp"
#include "netlist/reader.hpp"
#include "support/context.hpp"
#include "support/temporary_folder.hpp"

namespace gridiron {
namespace {

Circuit generated(const std::string& style, int64_t nodes) {
  const TemporaryFolder folder;
  GeneratorOptions options;
  options.style = style;
  options.nodes = nodes;
  const auto path = folder.path() / "deck.sp";
  generate(options, path);
  return read_netlist(path.string());
}

IrReport analysed(const Circuit& circuit, int threads) {
  IrOptions options;
  options.engine = "cholmod";
  options.context.threads = threads;
  return analyse_ir_drop(circuit, options);
}

/// Equal bits; NaN equals NaN.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

void expect_same(const IrReport& a, const IrReport& b) {
  EXPECT_TRUE(same(a.nodes.voltage_v, b.nodes.voltage_v));
  EXPECT_TRUE(same(a.nodes.drop_v, b.nodes.drop_v));
  EXPECT_EQ(a.nodes.net, b.nodes.net);
  EXPECT_EQ(a.nodes.state, b.nodes.state);
  EXPECT_TRUE(same(a.segments.current_a, b.segments.current_a));
  EXPECT_TRUE(same(a.segments.power_w, b.segments.power_w));
  ASSERT_EQ(a.nets.size(), b.nets.size());
  for (size_t k = 0; k < a.nets.size(); ++k) {
    EXPECT_EQ(a.nets[k].average_drop_v, b.nets[k].average_drop_v);
    EXPECT_EQ(a.nets[k].load_current_a, b.nets[k].load_current_a);
    EXPECT_EQ(a.nets[k].pad_current_a, b.nets[k].pad_current_a);
    EXPECT_EQ(a.nets[k].percentiles_v.p999, b.nets[k].percentiles_v.p999);
    ASSERT_EQ(a.nets[k].layers.size(), b.nets[k].layers.size());
    for (size_t l = 0; l < a.nets[k].layers.size(); ++l)
      EXPECT_EQ(a.nets[k].layers[l].average_drop_v, b.nets[k].layers[l].average_drop_v);
  }
  ASSERT_EQ(a.segment_layers.size(), b.segment_layers.size());
  for (size_t l = 0; l < a.segment_layers.size(); ++l)
    EXPECT_EQ(a.segment_layers[l].power_w, b.segment_layers[l].power_w);
  ASSERT_EQ(a.hot_spots.size(), b.hot_spots.size());
  for (size_t k = 0; k < a.hot_spots.size(); ++k) EXPECT_EQ(a.hot_spots[k].node, b.hot_spots[k].node);
  ASSERT_EQ(a.instances.size(), b.instances.size());
  for (size_t k = 0; k < a.instances.size(); ++k) EXPECT_EQ(a.instances[k].source, b.instances[k].source);
  EXPECT_EQ(a.certificate.max_error_v, b.certificate.max_error_v);
  EXPECT_EQ(a.certificate.current_imbalance_a, b.certificate.current_imbalance_a);
  EXPECT_EQ(a.power.dissipated_w, b.power.dissipated_w);
}

void expect_plain_figures(const IrReport& report) {
  const NodeTable& nodes = report.nodes;
  for (size_t k = 0; k < report.nets.size(); ++k) {
    const NetResult& net = report.nets[k];
    std::vector<double> drops;
    double sum = 0, worst = -INFINITY;
    NodeId worst_node = kGround;
    std::map<int32_t, int64_t> on_layer;
    for (size_t n = 0; n < nodes.net.size(); ++n) {
      if (nodes.net[n] != static_cast<int32_t>(k)) continue;
      drops.push_back(nodes.drop_v[n]);
      sum += nodes.drop_v[n];
      ++on_layer[nodes.layer[n]];
      if (!(nodes.drop_v[n] > worst)) continue;
      worst = nodes.drop_v[n];
      worst_node = static_cast<NodeId>(n);
    }
    const auto count = static_cast<int64_t>(drops.size());
    EXPECT_EQ(net.nodes, count);
    EXPECT_EQ(net.worst_node, worst_node);
    EXPECT_NEAR(net.average_drop_v, sum / static_cast<double>(count), 1e-12);
    ASSERT_EQ(net.layers.size(), on_layer.size());
    for (const LayerResult& layer : net.layers) EXPECT_EQ(layer.nodes, on_layer[layer.layer]);
  }
  EXPECT_TRUE(std::is_sorted(report.instances.begin(), report.instances.end(),
                             [](const auto& a, const auto& b) { return a.combined_v > b.combined_v; }));
  int64_t segments = 0;
  for (const SegmentLayerResult& layer : report.segment_layers) segments += layer.segments;
  EXPECT_EQ(segments, std::count_if(report.segments.current_a.begin(), report.segments.current_a.end(),
                                    [](double a) { return !std::isnan(a); }));
}

TEST(FrontOnThreads, SameBitsAndPlainFigures) {
  for (const char* style : {"ibm", "openroad"}) {
    const Circuit circuit = generated(style, 40000);
    const IrReport first = analysed(circuit, 1);
    expect_plain_figures(first);
    for (const int threads : {2, 3, 5}) expect_same(analysed(circuit, threads), first);
  }
}

TEST(FrontOnThreads, IslandsHaveTheSameNumbers) {
  std::string deck = "* islands\nv1 vdd 0 1\nr0 vdd a 1\n";
  for (int k = 0; k < 20000; ++k)
    deck += "r" + std::to_string(k + 1) + " n" + std::to_string(k / 3 * 7 + k % 3) + " n" +
            std::to_string(k / 3 * 7 + k % 3 + 1) + " 1\n";
  const Circuit circuit = read_netlist_text(deck);
  const IrReport first = analysed(circuit, 1);
  EXPECT_EQ(first.reduced.floating_nodes, circuit.node_count() - 3);
  for (const int threads : {2, 3, 5}) {
    const IrReport report = analysed(circuit, threads);
    expect_same(report, first);
    ASSERT_EQ(report.findings.size(), first.findings.size());
    for (size_t k = 0; k < first.findings.size(); ++k) EXPECT_EQ(report.findings[k].message, first.findings[k].message);
  }
}

TEST(FrontOnThreads, PercentilesOfManyAreThoseOfASortedList) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.05, 0.01);
  for (const int kind : {0, 1, 2, 3})
    for (const int64_t n : {(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 200001}) {
      std::vector<double> drops(n);
      for (int64_t i = 0; i < n; ++i)
        drops[i] = kind == 0   ? normal(random)
                   : kind == 1 ? 0.25                                                    // all the same
                   : kind == 2 ? (i == n / 2 ? 1e9 : 1e-3 * static_cast<double>(i % 5))  // one outlier
                               : static_cast<double>(i) * -1e-6;
      std::vector<double> sorted = drops;
      std::sort(sorted.begin(), sorted.end());
      const auto at = [&](double p) {
        return sorted[static_cast<size_t>(std::max(1.0, std::ceil(p * static_cast<double>(n)))) - 1];
      };
      for (const int threads : {1, 2, 3, 5}) {
        const ThreadCount count(threads);
        std::vector<double> copy = drops;
        const Percentiles found = percentiles_of(copy);
        EXPECT_EQ(found.p50, at(0.5));
        EXPECT_EQ(found.p95, at(0.95));
        EXPECT_EQ(found.p99, at(0.99));
        EXPECT_EQ(found.p999, at(0.999));
      }
    }
}

}  // namespace
}  // namespace gridiron
