// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/drop_map.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "support/error_text.hpp"
#include "support/field.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kMostPixels = 4e8;

bool is_member(const NodeTable& nodes, int32_t net, size_t n) {
  return nodes.net[n] == net && nodes.state[n] == NodeState::solved && std::isfinite(nodes.x_um[n]) &&
         std::isfinite(nodes.y_um[n]);
}

/// Pixels that hold all nodes of the net; its lowest layer.
DropMap empty_map(const IrReport& report, int32_t net, std::optional<std::pair<int64_t, int64_t>> size) {
  const NodeTable& nodes = report.nodes;
  DropMap map;
  map.net = net;
  double left = 0, bottom = 0, right = -INFINITY, top = -INFINITY;
  for (size_t n = 0; n < nodes.net.size(); ++n) {
    if (!is_member(nodes, net, n)) continue;
    left = std::min(left, nodes.x_um[n]), right = std::max(right, nodes.x_um[n]);
    bottom = std::min(bottom, nodes.y_um[n]), top = std::max(top, nodes.y_um[n]);
    if (nodes.layer[n] >= 0 && (map.layer < 0 || nodes.layer[n] < map.layer)) map.layer = nodes.layer[n];
  }
  const std::string& name = report.nets[net].name;
  if (!std::isfinite(right)) throw input_error("no node of net {} has a place, so it has no map", name);
  map.left_um = size ? 0 : std::floor(left);
  map.bottom_um = size ? 0 : std::floor(bottom);
  const double nx = size ? static_cast<double>(size->first) : std::floor(right) - map.left_um + 1;
  const double ny = size ? static_cast<double>(size->second) : std::floor(top) - map.bottom_um + 1;
  if (nx * ny > kMostPixels)
    throw input_error("the map of net {} would have {:.0f} x {:.0f} pixels of 1 µm; set {}", name, nx, ny,
                      field("dbu"));
  map.nx = static_cast<int64_t>(nx);
  map.ny = static_cast<int64_t>(ny);
  map.drop_v.assign(map.nx * map.ny, 0.0);
  return map;
}

/// The nodes of the map, ascending.
std::vector<NodeId> members_of(const NodeTable& nodes, const DropMap& map) {
  std::vector<NodeId> members;
  for (size_t n = 0; n < nodes.net.size(); ++n)
    if (is_member(nodes, map.net, n) && (map.layer < 0 || nodes.layer[n] == map.layer))
      members.push_back(static_cast<NodeId>(n));
  return members;
}

void fill_worst(const NodeTable& nodes, std::span<const NodeId> members, DropMap& map) {
  for (const NodeId n : members) {
    const int64_t x = std::floor(nodes.x_um[n] - map.left_um);
    const int64_t y = std::floor(nodes.y_um[n] - map.bottom_um);
    if (x < 0 || y < 0 || x >= map.nx || y >= map.ny) continue;
    double& drop = map.drop_v[x * map.ny + y];
    drop = std::max(drop, nodes.drop_v[n]);
  }
}

/// Nodes in a row, at `across` on one axis and ascending on the other.
struct Rail {
  double across = 0;
  std::vector<double> along, drop_v;

  bool covers(double at) const { return along.front() <= at && at <= along.back(); }
  double operator()(double at) const {
    const auto next = std::upper_bound(along.begin() + 1, along.end() - 1, at);
    const size_t k = next - along.begin();
    const double t = (at - along[k - 1]) / (along[k] - along[k - 1]);
    return drop_v[k - 1] + t * (drop_v[k] - drop_v[k - 1]);
  }
};

/// Whether most wires between the nodes lead along x.
bool runs_along_x(const IrReport& report, const DropMap& map) {
  const NodeTable& nodes = report.nodes;
  const Elements& wires = report.circuit->resistors;
  const auto on_map = [&](NodeId n) {
    return is_member(nodes, map.net, static_cast<size_t>(n)) && (map.layer < 0 || nodes.layer[n] == map.layer);
  };
  int64_t along_x = 0, along_y = 0;
  for (int64_t i = 0; i < wires.size(); ++i) {
    const NodeId a = wires.a[i], b = wires.b[i];
    if (!on_map(a) || !on_map(b)) continue;
    const bool same_x = nodes.x_um[a] == nodes.x_um[b], same_y = nodes.y_um[a] == nodes.y_um[b];
    along_x += same_y && !same_x;
    along_y += same_x && !same_y;
  }
  return along_x >= along_y;
}

/// Rails of two nodes at least, ascending; of nodes at the same place the worst counts.
std::vector<Rail> rails_of(const NodeTable& nodes, std::vector<NodeId> members, bool along_x) {
  const std::span<const double> along = along_x ? nodes.x_um : nodes.y_um, across = along_x ? nodes.y_um : nodes.x_um;
  std::ranges::sort(members, [&](NodeId a, NodeId b) {
    if (across[a] != across[b]) return across[a] < across[b];
    return along[a] != along[b] ? along[a] < along[b] : a < b;
  });
  std::vector<Rail> rails;
  for (const NodeId n : members) {
    if (rails.empty() || rails.back().across != across[n]) rails.push_back({across[n], {}, {}});
    Rail& rail = rails.back();
    if (!rail.along.empty() && rail.along.back() == along[n]) {
      rail.drop_v.back() = std::max(rail.drop_v.back(), nodes.drop_v[n]);
    } else {
      rail.along.push_back(along[n]);
      rail.drop_v.push_back(nodes.drop_v[n]);
    }
  }
  std::erase_if(rails, [](const Rail& rail) { return rail.along.size() < 2; });
  return rails;
}

/// The natural cubic spline through (x, y), x ascending; constant outside. Second derivatives m solve a tridiagonal
/// system (J. Stoer, R. Bulirsch, "Introduction to Numerical Analysis", section 2.4.2).
class Spline {
 public:
  Spline(std::vector<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)), m_(x_.size(), 0.0) {
    const size_t last = x_.size() - 1;
    std::vector<double> upper(x_.size(), 0.0);
    for (size_t k = 1; k < last; ++k) {
      const double left = x_[k] - x_[k - 1], right = x_[k + 1] - x_[k];
      const double rhs = 6 * ((y_[k + 1] - y_[k]) / right - (y_[k] - y_[k - 1]) / left);
      const double pivot = 2 * (left + right) - left * upper[k - 1];
      upper[k] = right / pivot;
      m_[k] = (rhs - left * m_[k - 1]) / pivot;
    }
    for (size_t k = last; k-- > 1;) m_[k] -= upper[k] * m_[k + 1];
  }

  double operator()(double at) const {
    if (at <= x_.front()) return y_.front();
    if (at >= x_.back()) return y_.back();
    const size_t k = std::ranges::upper_bound(x_, at) - x_.begin();
    const double h = x_[k] - x_[k - 1], t = (at - x_[k - 1]) / h, s = 1 - t;
    return s * y_[k - 1] + t * y_[k] + h * h / 6 * ((s * s * s - s) * m_[k - 1] + (t * t * t - t) * m_[k]);
  }

 private:
  std::vector<double> x_, y_, m_;
};

void fill_interpolated(std::span<const Rail> rails, bool along_x, DropMap& map) {
  double first = INFINITY, last = -INFINITY, worst = 0;
  for (const Rail& rail : rails) {
    first = std::min(first, rail.along.front()), last = std::max(last, rail.along.back());
    worst = std::max(worst, *std::ranges::max_element(rail.drop_v));
  }
  const int64_t lines = along_x ? map.nx : map.ny, pixels = along_x ? map.ny : map.nx;
  const double line_um = along_x ? map.left_um : map.bottom_um, pixel_um = along_x ? map.bottom_um : map.left_um;
  const auto at = [&](int64_t line, int64_t pixel) -> double& {
    return map.drop_v[along_x ? line * map.ny + pixel : pixel * map.ny + line];
  };
  std::vector<uint8_t> is_filled(lines, 0);
  parallel_tasks(lines, [&](int64_t line) {
    const double along = std::clamp(line_um + line, first, last);
    std::vector<double> places, drops;
    for (const Rail& rail : rails) {
      if (!rail.covers(along)) continue;
      places.push_back(rail.across);
      drops.push_back(rail(along));
    }
    if (places.empty()) return;
    is_filled[line] = 1;
    const Spline spline(std::move(places), std::move(drops));
    for (int64_t pixel = 0; pixel < pixels; ++pixel) at(line, pixel) = std::clamp(spline(pixel_um + pixel), 0.0, worst);
  });
  // Lines that no rail reaches lie between rails on either side; the one before is the nearest known well enough.
  for (int64_t line = 1; line < lines; ++line)
    if (!is_filled[line])
      for (int64_t pixel = 0; pixel < pixels; ++pixel) at(line, pixel) = at(line - 1, pixel);
}

}  // namespace

std::pair<int64_t, int64_t> pixels_from_origin(const IrReport& report, int32_t net) {
  const NodeTable& nodes = report.nodes;
  double right = -1, top = -1;
  for (size_t n = 0; n < nodes.net.size(); ++n)
    if (is_member(nodes, net, n)) right = std::max(right, nodes.x_um[n]), top = std::max(top, nodes.y_um[n]);
  return {static_cast<int64_t>(std::floor(right)) + 1, static_cast<int64_t>(std::floor(top)) + 1};
}

std::vector<int32_t> nets_with_places(const IrReport& report) {
  std::vector<uint8_t> has_place(report.nets.size(), 0);
  for (size_t n = 0; n < report.nodes.net.size(); ++n)
    if (const int32_t net = report.nodes.net[n]; net >= 0 && is_member(report.nodes, net, n)) has_place[net] = 1;
  std::vector<int32_t> nets;
  for (size_t net = 0; net < has_place.size(); ++net)
    if (has_place[net]) nets.push_back(static_cast<int32_t>(net));
  return nets;
}

DropMap drop_map(const IrReport& report, int32_t net, MapMode mode, std::optional<std::pair<int64_t, int64_t>> size) {
  DropMap map = empty_map(report, net, size);
  const std::vector<NodeId> members = members_of(report.nodes, map);
  if (mode == MapMode::interpolated) {
    const bool along_x = runs_along_x(report, map);
    const std::vector<Rail> rails = rails_of(report.nodes, members, along_x);
    if (!rails.empty()) {
      fill_interpolated(rails, along_x, map);
      return map;
    }
  }
  fill_worst(report.nodes, members, map);
  return map;
}

}  // namespace gridiron
