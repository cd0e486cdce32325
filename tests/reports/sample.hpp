// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "netlist/reader.hpp"

namespace gridiron::test {

/// A hand-made result together with the circuit it refers to.
struct Sample {
  Circuit circuit;
  IrReport result;

  Sample() {
    result.circuit = &circuit;
    result.input_path = "decks/sample.sp";
    result.netlist_name = "sample";
    result.engine.name = "cholmod";
    result.engine.device = "cpu";
    add_node("0", -1, -1, NAN, NAN, 0, 0, NodeState::ground);
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  int32_t add_net(const std::string& name, double nominal_v, double supply_v) {
    NetResult net;
    net.name = name;
    net.nominal_v = nominal_v;
    net.supply_v = supply_v;
    net.is_ground = nominal_v == 0;
    result.nets.push_back(net);
    return static_cast<int32_t>(result.nets.size()) - 1;
  }

  int32_t add_layer(const std::string& name) {
    result.layer_names.push_back(name);
    return static_cast<int32_t>(result.layer_names.size()) - 1;
  }

  /// The voltage of a node is nominal − drop on a power net, and the drop on a ground net.
  NodeId add_node(const std::string& name, int32_t net, int32_t layer, double x_um, double y_um, double voltage_v,
                  double drop_v, NodeState state = NodeState::solved) {
    const NodeId id = circuit.nodes.intern(name);
    result.input.nodes = circuit.node_count();
    NodeTable& nodes = result.nodes;
    nodes.net.push_back(net);
    layer_.push_back(layer);
    x_um_.push_back(x_um);
    y_um_.push_back(y_um);
    nodes.layer = layer_;
    nodes.x_um = x_um_;
    nodes.y_um = y_um_;
    nodes.voltage_v.push_back(voltage_v);
    nodes.drop_v.push_back(drop_v);
    nodes.state.push_back(state);
    return id;
  }

  /// Cards of current sources, for their names.
  void add_loads(const std::string& cards) {
    const Circuit loads = read_netlist_text("* t\n" + cards + ".end\n", "decks/sample.sp");
    circuit.files = loads.files;
    circuit.current_sources.origin = loads.current_sources.origin;
  }

  /// Fills in the results that the analysis would derive for each net and layer from the nodes.
  void summarise() {
    for (size_t i = 0; i < result.nets.size(); ++i) {
      NetResult& net = result.nets[i];
      std::vector<LayerResult> layers(result.layer_names.size());
      double sum = 0;
      net.worst_drop_v = -INFINITY;
      for (size_t n = 0; n < result.nodes.state.size(); ++n) {
        if (result.nodes.net[n] != static_cast<int32_t>(i)) continue;
        const double drop = result.nodes.drop_v[n];
        ++net.nodes;
        sum += drop;
        if (drop > net.worst_drop_v) {
          net.worst_drop_v = drop;
          net.worst_node = static_cast<NodeId>(n);
          net.worst_voltage_v = result.nodes.voltage_v[n];
        }
        if (result.nodes.layer[n] < 0) continue;
        LayerResult& layer = layers[static_cast<size_t>(result.nodes.layer[n])];
        if (layer.nodes++ == 0 || drop > layer.worst_drop_v) {
          layer.worst_drop_v = drop;
          layer.worst_node = static_cast<NodeId>(n);
        }
        if (layer.nodes == 1 || drop < layer.least_drop_v) layer.least_drop_v = drop;
        layer.average_drop_v += (drop - layer.average_drop_v) / static_cast<double>(layer.nodes);
        layer.layer = result.nodes.layer[n];
      }
      net.average_drop_v = net.nodes > 0 ? sum / static_cast<double>(net.nodes) : 0;
      net.average_voltage_v = net.is_ground ? net.average_drop_v : net.nominal_v - net.average_drop_v;
      for (const LayerResult& layer : layers)
        if (layer.nodes > 0) net.layers.push_back(layer);
    }
  }

 private:
  std::vector<int32_t> layer_;  ///< owned by the design in a real run
  std::vector<double> x_um_, y_um_;
};

/// Two nets, three layers, ten nodes, one of each kind of everything that a report shows.
inline std::unique_ptr<Sample> small_sample() {
  auto sample = std::make_unique<Sample>();
  Sample& s = *sample;
  const int32_t m1 = s.add_layer("M1"), m4 = s.add_layer("M4"), m9 = s.add_layer("M9");
  const int32_t vdd = s.add_net("VDD", 1.8, 1.8), gnd = s.add_net("GND", 0, 1.8);
  s.add_node("n1_0_0", vdd, m1, 0, 0, 1.8 - 0.0432109876543, 0.0432109876543);
  s.add_node("n1_10_0", vdd, m1, 10, 0, 1.76, 0.04);
  s.add_node("n1_0_10", vdd, m1, 0, 10, 1.77, 0.03);
  s.add_node("n1_10_10", vdd, m4, 10, 10, 1.78, 0.02);
  s.add_node("n2_5_5", vdd, m9, 5, 5, 1.8, 0);
  s.add_node("n3_0_0", gnd, m1, 0, 0, 0.012, 0.012);
  s.add_node("n3_10_10", gnd, m1, 10, 10, 0.008, 0.008);
  s.add_node("plain", vdd, -1, NAN, NAN, 1.79, 0.01);
  s.add_node("lost", -1, m1, 3, 3, NAN, 0, NodeState::floating);
  s.summarise();

  IrReport& r = s.result;
  r.input_bytes = 1234;
  r.engine.parameters = {{"ordering", "amd", "", "amd, metis or best"}};
  r.engine.bytes = 4096;
  r.reduced = {5, 17, 1, 2, 1};
  r.solve = summed_up({{1, 1.5e-16, 2e-17, true, {}}});
  r.certificate = {true, false, false, 3.25e-9, 1e-5, 2e-17, 12.5, 0.01, -1e-15};
  r.nets[0].total_power_w = 0.0293;
  r.nets[0].load_current_a = 0.01628;
  r.nets[0].pads = 1;
  r.pads = {{"V1", "decks/sample.sp:3:1", 5, vdd, 1.8, 0.01628, 0.75}};
  s.add_loads(
      "i3 0 n3_10_10 3m\n* Sink for u2/VDD\ni2 n1_10_0 0 2m\niu1_v n1_0_0 0 1m\n* Sink for =u4/a,b\ni4 plain 0 1m\n");
  r.instances = {{1, 6, 0.0432109876543, 0.012, 0.0552109876543, 1e-3, 2, true},
                 {2, kGround, 0.04, 0, 0.04, 2e-3, 1},
                 {kGround, 7, 0, 0.008, 0.008, 3e-3, 0}};
  r.limits = {{"worst", "VDD", 0.09, 0.0432109876543, false, "", 3.25e-9, false}};
  r.findings = {{Finding::Severity::warning, "floating-island", "1 node has no source.", "decks/sample.sp:9:1"}};
  r.dbu_per_um = 1000;
  r.timings_s.total = 0.5;
  r.peak_memory_bytes = 1000000;
  return sample;
}

/// A power and a ground net of `layers` metal layers over a chip of 4 × 3.2 mm, about `nodes` nodes: stripes of
/// alternating direction, wider apart the higher the layer, hot spots below and a macro without rails.
inline std::unique_ptr<Sample> chip_sample(int nodes, int layers = 5) {
  auto sample = std::make_unique<Sample>();
  Sample& s = *sample;
  constexpr double kWidth = 4000, kHeight = 3200, kStretch = 1.5;
  double sites = 0;
  for (int layer = 0; layer < layers; ++layer) sites += std::pow(kStretch, -2 * layer);
  const double pitch = std::sqrt(2 * kWidth * kHeight * 0.94 * sites / nodes);
  const auto drop_at = [](double x, double y) {
    const auto spot = [&](double x0, double y0, double radius) {
      return std::exp(-(std::pow(x - x0, 2) + std::pow(y - y0, 2)) / (radius * radius));
    };
    return 0.012 + 0.034 * spot(2900, 2100, 620) + 0.021 * spot(900, 800, 480) + 0.012 * spot(1500, 2600, 900);
  };
  for (int layer = 0; layer < layers; ++layer) s.add_layer(fmt::format("M{}", layer + 1));
  for (const int32_t net : {s.add_net("VDD", 1.1, 1.1), s.add_net("VSS", 0, 1.1)})
    for (int layer = 0; layer < layers; ++layer) {
      const double step = pitch * std::pow(kStretch, layer);
      const double across = step * 1.6, along = step / 1.6;
      const bool vertical = layer % 2 == 1;
      for (double u = across * (net == 0 ? 0.25 : 0.75); u < (vertical ? kWidth : kHeight); u += across)
        for (double v = along / 2; v < (vertical ? kHeight : kWidth); v += along) {
          const double x = vertical ? u : v, y = vertical ? v : u;
          if (layer < 2 && x > 2500 && x < 3300 && y > 500 && y < 1500) continue;
          const double ripple = 0.0015 * std::sin(x / 37) * std::sin(y / 23);
          const double drop = (net == 0 ? 1.0 : 0.7) * (drop_at(x, y) + ripple) * (1 - 0.8 * layer / layers);
          const std::string name = fmt::format("n{}_m{}_{}", net, layer + 1, s.circuit.nodes.size());
          s.add_node(name, net, layer, x, y, net == 0 ? 1.1 - drop : drop, drop);
        }
    }
  s.summarise();
  return sample;
}

/// A folder that is removed after the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gridiron-reports-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace gridiron::test
