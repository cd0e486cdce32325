// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "device/host_device.hpp"
#include "regularize/network.hpp"

namespace gridiron {

/// Layers of a network are numbered −1 (unknown), 0 … kMostLayers − 1.
inline constexpr int32_t kMostLayers = 63;

/// Survey of a part of the network, taken before its cells are chosen.
struct PartSurvey {
  int32_t net = -1;  ///< Geometry::net of its nodes
  int64_t nodes = 0;
  double left = INFINITY, right = -left, bottom = left, top = -left;  ///< µm
  uint64_t layers = 0;                                                ///< bit l + 1: some node lies on layer l
  int64_t places = 0;  ///< distinct (x, y) of its nodes; only counted on request

  GRIDIRON_HOST_DEVICE void add(double x_um, double y_um, int32_t layer) {
    ++nodes;
    left = x_um < left ? x_um : left;
    right = x_um > right ? x_um : right;
    bottom = y_um < bottom ? y_um : bottom;
    top = y_um > top ? y_um : top;
    layers |= uint64_t{1} << (layer + 1);
  }
  void join(const PartSurvey& other);
};

/// Parts that have nodes, by ascending net, and where to find them.
struct Surveys {
  std::vector<PartSurvey> parts;
  std::vector<int32_t> part_of_net;  ///< index into parts, by net + 1; −1 for nets without a node
};

/// Whether a coordinate is usable: finite, and far enough from overflow for differences and squares.
GRIDIRON_HOST_DEVICE inline bool is_place(double um) { return std::abs(um) <= 1e100; }

/// Hash of a location in a net, never 0; two locations with equal hashes of 63 bits would count as one, which is
/// harmless.
GRIDIRON_HOST_DEVICE inline uint64_t hash_of_place(double x_um, double y_um, int32_t net) {
  const auto mixed = [](uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    return (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
  };
  const auto x = std::bit_cast<uint64_t>(x_um + 0.0), y = std::bit_cast<uint64_t>(y_um + 0.0);  // −0 is 0
  return mixed(mixed(mixed(x) ^ y) ^ static_cast<uint64_t>(net)) | 1;
}

/// All nodes must have coordinates and a layer below kMostLayers. Linear time, same result on any number of threads.
Surveys survey_parts(const Geometry& geometry, bool counts_places);

}  // namespace gridiron
