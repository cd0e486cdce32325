// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "device/device.hpp"
#include "regularize/survey.hpp"

namespace gridiron {

/// What kernels see of a Geometry.
template <class D>
struct GeometryView {
  View<D, const double> x_um, y_um;
  View<D, const int32_t> layer, net;
};

/// A copy of a host Geometry on device D; must not outlive it.
template <class D>
class GeometryOn {
 public:
  explicit GeometryOn(const Geometry& host) : x_um_(host.x_um), y_um_(host.y_um), layer_(host.layer), net_(host.net) {}
  GeometryView<D> view() const { return {x_um_.view(), y_um_.view(), layer_.view(), net_.view()}; }

 private:
  Upload<D, double> x_um_, y_um_;
  Upload<D, int32_t> layer_, net_;
};

/// 1 for the first node at each location. Nodes are hashed by location into as many buckets as there are nodes, and
/// each looks up its location in its bucket: expected linear time, however many nodes share locations.
template <class D>
Array<D, int32_t> first_at_place(const GeometryView<D>& geometry) {
  const int64_t nodes = geometry.net.size();
  const View<D, const double> x_um = geometry.x_um, y_um = geometry.y_um;
  const View<D, const int32_t> net = geometry.net;
  Array<D, uint64_t> hash_array(nodes);
  Array<D, int32_t> bucket_array(nodes), begin_array(nodes + 1), order_array(nodes), is_first_array(nodes);
  const auto hash = hash_array.view();
  const auto bucket = bucket_array.view(), begin = begin_array.view(), order = order_array.view(),
             is_first = is_first_array.view();
  D::for_each(
      nodes, GRIDIRON_KERNEL(int64_t i) {
        hash[i] = hash_of_place(x_um[i], y_um[i], net[i]);
        bucket[i] = static_cast<int32_t>((hash[i] >> 32) % static_cast<uint64_t>(nodes));
      });
  D::group_by(bucket, nodes, begin, order);
  D::for_each(
      nodes, GRIDIRON_KERNEL(int64_t k) {
        const int32_t i = order[k];
        int32_t first = begin[bucket[i]];
        while (hash[order[first]] != hash[i]) ++first;
        is_first[i] = first == k;
      });
  return is_first_array;
}

/// Some nodes of one part, [first, last) in the order of parts.
struct SurveyPiece {
  int32_t part;
  int64_t first, last;
};

/// survey_parts() on device D, with the same result.
template <class D>
Surveys survey_parts(const GeometryView<D>& geometry, bool counts_places) {
  constexpr int64_t kNodesOfPiece = 512;
  const int64_t nodes = geometry.net.size();
  Surveys surveys;
  if (nodes == 0) return surveys;

  const View<D, const int32_t> layer = geometry.layer, net = geometry.net;
  const auto nets = 1 + static_cast<int32_t>(D::max(
                            nodes, GRIDIRON_KERNEL(int64_t i) { return net[i] + 1.0; }));
  Array<D, int32_t> key_array(nodes), begin_array(nets + 1), order_array(nodes);
  const auto key = key_array.view(), order = order_array.view();
  D::for_each(
      nodes, GRIDIRON_KERNEL(int64_t i) { key[i] = net[i] + 1; });
  D::group_by(key, nets, begin_array.view(), order);

  const std::vector<int32_t> begin = begin_array.to_host();
  std::vector<SurveyPiece> pieces;
  surveys.part_of_net.assign(nets, -1);
  for (int32_t n = 0; n < nets; ++n) {
    if (begin[n] == begin[n + 1]) continue;
    const int32_t part = surveys.parts.size();
    surveys.part_of_net[n] = part;
    surveys.parts.emplace_back().net = n - 1;
    for (int64_t first = begin[n]; first < begin[n + 1]; first += kNodesOfPiece)
      pieces.push_back({part, first, std::min<int64_t>(first + kNodesOfPiece, begin[n + 1])});
  }

  Array<D, int32_t> is_first_array;
  if (counts_places) is_first_array = first_at_place<D>(geometry);
  const Array<D, SurveyPiece> piece_array(pieces);
  Array<D, PartSurvey> found_array(piece_array.size());
  const View<D, const double> x_um = geometry.x_um, y_um = geometry.y_um;
  const View<D, const int32_t> is_first = is_first_array.view();
  const auto piece = piece_array.view();
  const auto found = found_array.view();
  D::for_each(
      piece.size(), GRIDIRON_KERNEL(int64_t p) {
        PartSurvey survey;
        for (int64_t k = piece[p].first; k < piece[p].last; ++k) {
          const int32_t i = order[k];
          survey.add(x_um[i], y_um[i], layer[i]);
          if (counts_places) survey.places += is_first[i];
        }
        found[p] = survey;
      });
  const std::vector<PartSurvey> of_pieces = found_array.to_host();
  for (size_t p = 0; p < pieces.size(); ++p) surveys.parts[pieces[p].part].join(of_pieces[p]);
  return surveys;
}

}  // namespace gridiron
