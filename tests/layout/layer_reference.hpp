// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include "layout/extract/layer_shapes.hpp"

namespace gridiron::layout::test {

/// make_metal_grid() of one layer of rectangles, the plain way: every pair is looked at.
class LayerReference {
 public:
  LayerReference(const LayerShapes& shapes, const LayerRules& rules) : axes_(rules.axes), rules_(rules) {
    for (const Box& b : shapes.boxes) boxes_.push_back(axes_(b));
    cut();
    std::set<Point> places;
    for (const Box& b : pieces_) places.insert(axes_(centre(b)));
    for (const Point p : meeting_places()) places.insert(axes_(p));
    for (const Point p : shapes.places) places.insert(p);
    if (rules.has_fillers) add_fillers(places);
    nodes_.assign(places.begin(), places.end());
    merge();
    make_wires();
  }

  /// In x and y.
  std::vector<Point> nodes() const {
    std::vector<Point> out;
    for (size_t n = 0; n < nodes_.size(); ++n)
      if (became_[n] == n) out.push_back(nodes_[n]);
    return out;
  }
  std::map<std::pair<Point, Point>, std::pair<Dbu, Dbu>> wires() const { return wires_; }
  std::vector<Box> pieces() const {
    std::vector<Box> out;
    for (const Box& b : pieces_) out.push_back(axes_(b));
    std::ranges::sort(out, {}, [](const Box& b) { return std::tuple(b.x0, b.y0, b.x1, b.y1); });
    return out;
  }
  Point node_of(Point place) const {
    return nodes_[final_of(static_cast<size_t>(std::ranges::find(nodes_, place) - nodes_.begin()))];
  }

 private:
  void cut() {
    std::set<Dbu> us;
    for (const Box& b : boxes_) us.insert({b.x0, b.x1});
    std::map<std::pair<Dbu, Dbu>, Box> open;
    for (auto u = us.begin(); u != us.end(); ++u) {
      std::map<std::pair<Dbu, Dbu>, Box> next;
      for (const auto& [low, high] : intervals_after(*u)) {
        const auto same = open.find({low, high});
        Box piece = same == open.end() ? Box{*u, low, *u, high} : same->second;
        piece.x1 = *std::next(u);
        if (same != open.end()) open.erase(same);
        next[{low, high}] = piece;
      }
      for (const auto& [interval, piece] : open) pieces_.push_back(piece);
      open = std::move(next);
    }
  }
  std::vector<std::pair<Dbu, Dbu>> intervals_after(Dbu u) const {
    std::vector<std::pair<Dbu, Dbu>> all, out;
    for (const Box& b : boxes_)
      if (b.x0 <= u && u < b.x1 && b.y0 < b.y1) all.emplace_back(b.y0, b.y1);
    std::ranges::sort(all);
    for (const auto& [low, high] : all) {
      if (out.empty() || low > out.back().second)
        out.emplace_back(low, high);
      else
        out.back().second = std::max(out.back().second, high);
    }
    return out;
  }

  std::vector<Point> meeting_places() const {
    std::vector<size_t> polygon(pieces_.size());
    for (size_t i = 0; i < polygon.size(); ++i) polygon[i] = i;
    const auto for_pairs = [&](auto&& f) {
      for (size_t i = 0; i < pieces_.size(); ++i)
        for (size_t j = i + 1; j < pieces_.size(); ++j)
          if (meets(pieces_[i], pieces_[j])) f(i, j, common(pieces_[i], pieces_[j]));
    };
    for_pairs([&](size_t i, size_t j, const Box& b) {
      if (b.width() == 0 && b.height() == 0) return;
      const size_t from = polygon[i], to = polygon[j];
      for (size_t& p : polygon)
        if (p == from) p = to;
    });
    std::vector<Point> places;
    for_pairs([&](size_t i, size_t j, const Box& b) {
      if (polygon[i] == polygon[j]) places.push_back(centre(b));
    });
    return places;
  }

  void add_fillers(std::set<Point>& places) const {
    for (const Box& piece : pieces_) {
      const Box b = axes_(piece);
      const bool along_x = b.width() > b.height();
      Point p = along_x ? Point{b.x0 + rules_.pitch / 2, middle(b.y0, b.y1)}
                        : Point{middle(b.x0, b.x1), b.y0 + rules_.pitch / 2};
      while (p.x > b.x0 && p.x < b.x1 && p.y > b.y0 && p.y < b.y1) {
        places.insert(p);
        (along_x ? p.x : p.y) += rules_.pitch;
      }
    }
  }

  std::vector<size_t> on(const Box& piece) const {
    std::vector<size_t> out;
    for (size_t n = 0; n < nodes_.size(); ++n)
      if (holds(axes_(piece), nodes_[n])) out.push_back(n);
    return out;
  }

  void merge() {
    std::vector<int> count(nodes_.size(), 0);
    for (const Box& piece : pieces_)
      for (const size_t n : on(piece)) ++count[n];
    became_.resize(nodes_.size());
    for (size_t n = 0; n < nodes_.size(); ++n) became_[n] = n;
    for (const Box& piece : pieces_) {
      const Point c = axes_(centre(piece));
      for (const int turn : {0, 1, 2})
        for (const size_t keep : on(piece)) {
          const Point p = nodes_[keep];
          const int its_turn = count[keep] > 1 ? 0 : p.x == c.x || p.y == c.y ? 1 : 2;
          if (its_turn != turn || became_[keep] != keep) continue;
          for (const size_t other : on(piece))
            if (other != keep && count[other] == 1 && became_[other] == other &&
                std::abs(nodes_[other].x - p.x) <= rules_.pitch / 2 &&
                std::abs(nodes_[other].y - p.y) <= rules_.pitch / 2)
              became_[other] = keep;
        }
    }
  }
  size_t final_of(size_t n) const { return became_[n] == n ? n : final_of(became_[n]); }

  void make_wires() {
    for (const Box& piece : pieces_) {
      const Box b = axes_(piece);
      std::vector<size_t> left;
      for (const size_t n : on(piece))
        if (became_[n] == n) left.push_back(n);
      for (size_t i = 0; i + 1 < left.size(); ++i) {
        const auto distance = [&](size_t j) {
          const int64_t dx = nodes_[left[j]].x - nodes_[left[i]].x, dy = nodes_[left[j]].y - nodes_[left[i]].y;
          return dx * dx + dy * dy;
        };
        size_t best = i + 1;
        for (size_t j = i + 2; j < left.size(); ++j)
          if (distance(j) < distance(best)) best = j;
        const Point from = nodes_[left[i]], to = nodes_[left[best]];
        const Dbu dx = std::abs(to.x - from.x), dy = std::abs(to.y - from.y);
        auto& [length, width] = wires_[{from, to}];
        length = std::max(dx, dy);
        width += dx > dy ? b.height() : b.width();
      }
    }
  }

  Axes axes_;
  LayerRules rules_;
  std::vector<Box> boxes_, pieces_;  ///< in u and v
  std::vector<Point> nodes_;         ///< in x and y
  std::vector<size_t> became_;
  std::map<std::pair<Point, Point>, std::pair<Dbu, Dbu>> wires_;
};

}  // namespace gridiron::layout::test
