// SPDX-License-Identifier: Apache-2.0
#include "layout/crossings.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "layout/extract/axes.hpp"
#include "layout/extract/sort_places.hpp"
#include "layout/extract/strap_layers.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

constexpr int64_t kFew = 1 << 10;  ///< crossings that are worth a task

bool overlap(const Box& a, const Box& b) { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1; }

/// The crossings of two layers, and which steps between these their vias make.
class LayerCrossings {
 public:
  LayerCrossings(const SpecialNet& net, const ViaStacks& stacks, const std::vector<StrapLayer>& layers, size_t bottom,
                 size_t top)
      : net_(net), stacks_(stacks), steps_(stacks.steps(layers[bottom].layer, layers[top].layer)) {
    if ((steps_ & ~stacks.used()) != 0) return;
    add(layers[bottom].horizontal, layers[top]);
    add(layers[top].horizontal, layers[bottom]);
    if (boxes_.empty()) return;
    for (size_t between = bottom + 1; between < top; ++between) leave_out(layers[between].tree_of_all);
    made_.assign(boxes_.size(), 0);
    find_in_the_middle();
    find_elsewhere();
  }

  Crossings take(int32_t bottom, int32_t top) {
    Crossings out{bottom, top, std::ssize(boxes_), {}};
    out.without_via = parallel_list<Box>(
        out.all,
        [&](int64_t i, auto& list) {
          if (made_[i] != steps_ && stacks_.fit(steps_ & ~made_[i], boxes_[i])) list.push_back(boxes_[i]);
        },
        kFew);
    const bool is_joined = std::find(made_.begin(), made_.end(), steps_) != made_.end();
    if (!is_joined) out.without_via.clear();
    std::sort(out.without_via.begin(), out.without_via.end(), [](const Box& a, const Box& b) {
      return std::tie(a.x0, a.y0, a.x1, a.y1) < std::tie(b.x0, b.y0, b.x1, b.y1);
    });
    return out;
  }

 private:
  void add(const std::vector<Box>& horizontal, const StrapLayer& other) {
    std::vector<Box> some = parallel_list<Box>(
        std::ssize(horizontal),
        [&](int64_t i, auto& list) {
          other.tree_of_vertical.any_meeting(horizontal[i], [&](int32_t k) {
            if (overlap(horizontal[i], other.vertical[k])) list.push_back(common(horizontal[i], other.vertical[k]));
            return false;
          });
        },
        64);
    boxes_.insert(boxes_.end(), some.begin(), some.end());
  }

  /// Crossings with a strap between the two are those of each with this one.
  void leave_out(const BoxTree& between) {
    boxes_ = parallel_list<Box>(
        std::ssize(boxes_),
        [&](int64_t i, auto& list) {
          if (!between.any_meeting(boxes_[i], [](int32_t) { return true; })) list.push_back(boxes_[i]);
        },
        kFew);
  }

  void make(size_t crossing, uint64_t steps) {
    std::atomic_ref(made_[crossing]).fetch_or(steps & steps_, std::memory_order_relaxed);
  }

  /// Most vias are at the centre of their crossing: looked up by that place.
  void find_in_the_middle() {
    std::vector<KeyedPlace> centres;
    resize_untouched(centres, boxes_.size());
    parallel_each(std::ssize(boxes_), [&](int64_t i) {
      centres[i] = {key_of(centre(boxes_[i])), static_cast<int32_t>(i)};
    });
    sort_places(centres);
    parallel_each(std::ssize(net_.vias), [&](int64_t v) {
      if ((stacks_.steps(net_.vias[v]) & steps_) == 0) return;
      const PlaceKey key = key_of(centre(stacks_.box(net_.vias[v])));
      const auto found = std::ranges::lower_bound(centres, key, {}, &KeyedPlace::key);
      if (found != centres.end() && found->key == key) make(found->index, stacks_.steps(net_.vias[v]));
    });
  }

  /// The others, of crossings that still lack a step.
  void find_elsewhere() {
    std::vector<Box> open;
    std::vector<size_t> crossing;
    for (size_t i = 0; i < boxes_.size(); ++i)
      if (made_[i] != steps_) {
        open.push_back(boxes_[i]);
        crossing.push_back(i);
      }
    if (open.empty()) return;
    const BoxTree tree(open);
    parallel_each(std::ssize(net_.vias), [&](int64_t v) {
      if ((stacks_.steps(net_.vias[v]) & steps_) == 0) return;
      const Box box = stacks_.box(net_.vias[v]);
      tree.any_meeting(box, [&](int32_t k) {
        if (overlap(box, open[k])) make(crossing[k], stacks_.steps(net_.vias[v]));
        return false;
      });
    });
  }

  const SpecialNet& net_;
  const ViaStacks& stacks_;
  uint64_t steps_;  ///< from the lower layer to the upper one
  std::vector<Box> boxes_;
  std::vector<uint64_t> made_;  ///< steps of each
};

}  // namespace

std::vector<Crossings> find_crossings(const Library& library, const Chip& chip, const SpecialNet& net) {
  const std::vector<StrapLayer> layers = strap_layers(library, net);
  const ViaStacks stacks(library, chip, net);
  std::vector<Crossings> out;
  for (size_t bottom = 0; bottom < layers.size(); ++bottom)
    for (size_t top = bottom + 1; top < layers.size(); ++top) {
      LayerCrossings found(net, stacks, layers, bottom, top);
      Crossings pair = found.take(layers[bottom].layer, layers[top].layer);
      if (!pair.without_via.empty()) out.push_back(std::move(pair));
    }
  return out;
}

}  // namespace gridiron::layout
