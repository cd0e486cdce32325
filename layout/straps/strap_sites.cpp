// SPDX-License-Identifier: Apache-2.0
#include "layout/straps/strap_sites.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "layout/extract/axes.hpp"
#include "support/error_text.hpp"

namespace gridiron::layout {
namespace {

constexpr size_t kPlacesLookedAt = 48;  ///< within a pitch, where something is in the way

using Span = std::pair<Dbu, Dbu>;  ///< from, to

bool overlap(const Box& a, const Box& b) { return distance(a, b) < 0; }

int64_t length(const std::vector<Span>& spans) {
  int64_t sum = 0;
  for (const Span& s : spans) sum += s.second - s.first;
  return sum;
}

/// What is left of a span.
std::vector<Span> left_of(Span all, std::vector<Span> blocked) {
  std::ranges::sort(blocked);
  std::vector<Span> left;
  for (const Span& b : blocked) {
    if (b.first > all.first && all.first < all.second) left.emplace_back(all.first, std::min(b.first, all.second));
    all.first = std::max(all.first, b.second);
  }
  if (all.first < all.second) left.push_back(all);
  return left;
}

}  // namespace

/// What of a net straps of a kind may cross, in coordinates along and across these.
class StrapSites::OfNet {
 public:
  OfNet(const StrapSites& sites, int32_t net, const StrapKind& kind, Axes axes) : net_(net) {
    const auto add = [](std::optional<Box>& all, const Box& box) {
      all = !all ? box
                 : Box{std::min(all->x0, box.x0), std::min(all->y0, box.y0), std::max(all->x1, box.x1),
                       std::max(all->y1, box.y1)};
    };
    std::optional<Box> all, same;
    for (StrapLayer& layer : strap_layers(sites.library_, sites.chip_.nets[net])) {
      for (const std::vector<Box>* boxes : {&layer.horizontal, &layer.vertical})
        for (const Box& box : *boxes) {
          add(all, axes(box));
          if (layer.layer == kind.layer && (boxes == &layer.horizontal) == kind.is_along_x) add(same, axes(box));
        }
      if (layer.layer == kind.layer)
        own_ = kind.is_along_x ? std::move(layer.horizontal) : std::move(layer.vertical);
      else
        layers_.push_back(std::move(layer));
    }
    const Box across = all.value_or(axes(sites.chip_.die)), along = same.value_or(across);
    along_ = {along.x0, along.x1};
    across_ = {across.y0, across.y1};
    for (const StrapLayer& layer : layers_) {
      crossed_.push_back(kind.is_along_x ? layer.vertical : layer.horizontal);
      trees_.emplace_back(crossed_.back());
    }
    find_joined(sites, kind);
  }

  int32_t net() const { return net_; }
  Span along() const { return along_; }
  Span across() const { return across_; }

  /// Whether vias may join a strap to wires of some layer that it may cross.
  bool is_reached() const {
    return std::ranges::any_of(is_joined_, [](uint8_t is) { return is != 0; });
  }

  /// f(layer, crossing) where the box of a strap crosses wires with no other wire of the net between the two.
  template <class F>
  void for_each_crossing(const Box& strap, int32_t layer, F&& f) const {
    for (size_t i = 0; i < layers_.size(); ++i)
      for (const int32_t k : is_joined_[i] ? trees_[i].meeting(strap) : std::vector<int32_t>()) {
        const Box crossing = common(strap, crossed_[i][k]);
        if (overlap(strap, crossed_[i][k]) && !has_between(crossing, layers_[i].layer, layer))
          f(layers_[i].layer, crossing);
      }
  }

 private:
  /// The layers that straps of the layer are joined to today; where there are none, the nearest one on either side that
  /// vias lead to.
  void find_joined(const StrapSites& sites, const StrapKind& kind) {
    const SpecialNet& net = sites.chip_.nets[net_];
    const ViaStacks stacks(sites.library_, sites.chip_, net);
    std::vector<Box> boxes;
    for (const PlacedVia& via : net.vias) boxes.push_back(stacks.steps(via) != 0 ? stacks.box(via) : Box{});
    const BoxTree vias(std::move(boxes));
    const auto is_joined = [&](size_t i, const Box& crossing) {
      const uint64_t all = stacks.steps(layers_[i].layer, kind.layer);
      uint64_t made = 0;
      return !has_between(crossing, layers_[i].layer, kind.layer) && vias.any_meeting(crossing, [&](int32_t v) {
        made |= stacks.steps(net.vias[v]);
        return (all & ~made) == 0;
      });
    };
    is_joined_.assign(layers_.size(), 0);
    for (size_t i = 0; i < layers_.size(); ++i)
      is_joined_[i] = std::ranges::any_of(own_, [&](const Box& strap) {
        return trees_[i].any_meeting(strap, [&](int32_t k) {
          return overlap(strap, crossed_[i][k]) && is_joined(i, common(strap, crossed_[i][k]));
        });
      });
    if (is_reached()) return;
    const auto may_be = [&](size_t i) {
      const auto [low, high] = std::minmax(layers_[i].layer, kind.layer);
      return !crossed_[i].empty() && sites.vias_.reaches(low, high);
    };
    size_t first_above = 0;
    while (first_above < layers_.size() && layers_[first_above].layer < kind.layer) ++first_above;
    for (size_t i = first_above; i-- > 0;)
      if (may_be(i)) {
        is_joined_[i] = 1;
        break;
      }
    for (size_t i = first_above; i < layers_.size(); ++i)
      if (may_be(i)) {
        is_joined_[i] = 1;
        break;
      }
  }

  bool has_between(const Box& crossing, int32_t a, int32_t b) const {
    const auto [low, high] = std::minmax(a, b);
    for (const StrapLayer& layer : layers_)
      if (layer.layer > low && layer.layer < high && !layer.tree_of_all.meeting(crossing).empty()) return true;
    return false;
  }

  int32_t net_;
  Span along_, across_;
  std::vector<Box> own_;            ///< straps that the net has on the layer of the kind
  std::vector<StrapLayer> layers_;  ///< others than the kind's, from the lowest
  std::vector<uint8_t> is_joined_;  ///< per layer: straps are to be joined to it
  std::vector<std::vector<Box>> crossed_;
  std::vector<BoxTree> trees_;
};

/// Goes over the places of one kind.
class StrapSites::OfKind {
 public:
  OfKind(const StrapSites& sites, int32_t kind, std::span<const int32_t> nets)
      : sites_(sites),
        index_(kind),
        kind_(sites.kinds_[kind]),
        axes_{!kind_.is_along_x},
        grid_(std::max<Dbu>(1, to_dbu(sites.library_.grid_um, sites.chip_.dbu_per_um))),
        reach_(std::max(kind_.clearance(), sites.metal_.largest_spacing(kind_.layer))) {
    for (const int32_t net : nets) nets_.emplace_back(sites, net, kind_, axes_);
  }

  void find(std::vector<StrapSite>& out) const {
    Dbu low = kFarthest, high = -kFarthest;
    for (const OfNet& net : nets_) {
      low = std::min(low, net.across().first);
      high = std::max(high, net.across().second);
    }
    for (Dbu at = on_grid(low + kind_.width / 2); at + kind_.width / 2 <= high;) {
      const Dbu best = best_from(at, high);
      for (const OfNet& net : nets_) add(net, best, out);
      at = on_grid(best + kind_.pitch);
    }
  }

 private:
  /// Where the edges of a strap are on the manufacturing grid, `at` or behind it.
  Dbu on_grid(Dbu at) const { return up(at - kind_.width / 2) + kind_.width / 2; }
  Dbu up(Dbu x) const { return static_cast<Dbu>((int64_t{x} + (x > 0 ? grid_ - 1 : 0)) / grid_ * grid_); }
  Dbu down(Dbu x) const { return -up(-x); }

  Box strip(Dbu at, Span along) const {
    return {along.first, at - kind_.width / 2, along.second, at + kind_.width / 2};
  }
  Dbu distance_to(const Box& box) const {
    const Dbu widest = std::max(kind_.width, least_side(box));
    return std::max(kind_.clearance(), sites_.metal_.spacing(kind_.layer, widest));
  }

  /// f(box along and across, distance to keep) for what is near a strap at a place.
  template <class F>
  void for_each_near(const Box& strap, F&& f) const {
    for (const int32_t i : sites_.metal_.tree(kind_.layer).meeting(axes_(widened(strap, reach_)))) {
      const Box box = axes_(sites_.metal_.shapes(kind_.layer)[i].box);
      f(box, distance_to(box));
    }
  }

  std::vector<Span> free(const OfNet& net, Dbu at) const {
    if (at - kind_.width / 2 < net.across().first || at + kind_.width / 2 > net.across().second) return {};
    const Box strap = strip(at, net.along());
    std::vector<Span> blocked;
    for_each_near(strap, [&](const Box& box, Dbu apart) {
      if (box.y0 - apart < strap.y1 && strap.y0 < box.y1 + apart)
        blocked.emplace_back(down(box.x0 - apart), up(box.x1 + apart));
    });
    return left_of(net.along(), std::move(blocked));
  }

  /// Of the places within a pitch, here and just behind what is in the way, the first with most room.
  Dbu best_from(Dbu at, Dbu high) const {
    std::vector<Dbu> places{at};
    for (const OfNet& net : nets_) {
      Box window = strip(at, net.along());
      window.y1 += kind_.pitch;
      for_each_near(window, [&](const Box& box, Dbu apart) {
        const Dbu behind = on_grid(box.y1 + apart + kind_.width / 2);
        if (behind > at && behind < at + kind_.pitch && behind + kind_.width / 2 <= high) places.push_back(behind);
      });
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const size_t stride = (places.size() + kPlacesLookedAt - 1) / kPlacesLookedAt;
    Dbu best = at;
    int64_t most = -1;
    for (size_t i = 0; i < places.size(); i += stride) {
      int64_t room = 0;
      for (const OfNet& net : nets_) room = std::max(room, length(free(net, places[i])));
      if (room > most) most = room, best = places[i];
    }
    return best;
  }

  void add(const OfNet& net, Dbu at, std::vector<StrapSite>& out) const {
    StrapSite site{net.net(), index_, at, {}, {}};
    for (const Span& span : free(net, at)) {
      const Box box = axes_(strip(at, span));
      NewStrap piece{net.net(), kind_.layer, kind_.width, axes_(Point{span.first, at}), axes_(Point{span.second, at})};
      std::vector<StrapContact> contacts;
      net.for_each_crossing(box, kind_.layer, [&](int32_t layer, const Box& crossing) {
        const auto [low, high] = std::minmax(layer, kind_.layer);
        const std::vector<PlacedVia> stack = sites_.vias_.stack(net.net(), low, high, crossing);
        if (stack.empty() || !std::ranges::all_of(stack, [&](const PlacedVia& via) {
              return sites_.is_clear(via, net.net(), layer, kind_.layer);
            }))
          return;
        piece.vias.insert(piece.vias.end(), stack.begin(), stack.end());
        contacts.push_back({centre(crossing), layer, site.pieces.size()});
      });
      if (contacts.size() < 2) continue;
      std::ranges::stable_sort(contacts, {}, [&](const StrapContact& c) { return axes_(c.place).x; });
      site.contacts.insert(site.contacts.end(), contacts.begin(), contacts.end());
      site.pieces.push_back(std::move(piece));
    }
    if (!site.pieces.empty()) out.push_back(std::move(site));
  }

  const StrapSites& sites_;
  int32_t index_;
  const StrapKind& kind_;
  Axes axes_;
  Dbu grid_, reach_;
  std::vector<OfNet> nets_;
};

StrapSites::StrapSites(const Library& library, const Chip& chip, std::span<const StrapKind> kinds,
                       const std::vector<double>& factor)
    : library_(library),
      chip_(chip),
      kinds_(kinds.begin(), kinds.end()),
      metal_(library, chip, factor),
      vias_(library, chip) {}

std::vector<StrapSite> StrapSites::find(std::span<const int32_t> nets) const {
  std::vector<StrapSite> sites;
  for (int32_t k = 0; k < std::ssize(kinds_); ++k) OfKind(*this, k, nets).find(sites);
  return sites;
}

void StrapSites::require_reach(int32_t net) const {
  for (const StrapKind& kind : kinds_)
    if (!OfNet(*this, net, kind, Axes{!kind.is_along_x}).is_reached())
      throw field_error("add_straps",
                        "{}: no via leads from it to any wire of net {} that a strap could cross; define one in LEF or "
                        "in VIAS of DEF",
                        library_.layers[kind.layer].name, chip_.nets[net].name);
}

std::vector<Dbu> StrapSites::straps_today(int32_t net, int32_t kind) const {
  const Axes axes{!kinds_[kind].is_along_x};
  std::vector<Dbu> middles;
  for (const LayerBox& strap : chip_.nets[net].straps) {
    const Box box = axes(strap.box);
    if (strap.layer == kinds_[kind].layer && box.width() > box.height()) middles.push_back(middle(box.y0, box.y1));
  }
  std::ranges::sort(middles);
  middles.erase(std::unique(middles.begin(), middles.end()), middles.end());
  return middles;
}

bool StrapSites::is_clear(const PlacedVia& placed, int32_t net, int32_t from, int32_t to) const {
  const Via& via = chip_.vias[placed.via];
  for (const int32_t layer : {via.bottom, via.top})
    for (const Box& box : layer == via.bottom ? via.bottom_boxes : via.top_boxes)
      if (!metal_.is_clear(layer, moved(turned(box, placed.orientation), placed.place), net,
                           layer != from && layer != to))
        return false;
  return true;
}

}  // namespace gridiron::layout
