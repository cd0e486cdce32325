// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/tied_nodes.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analysis/distributed/node_index.hpp"
#include "device/disjoint_sets.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {
namespace {

/// A tied node of all processes: its owner, and its number there.
using TiedId = int64_t;
TiedId tied_id(int owner, int32_t number) { return int64_t{owner} << 32 | number; }
int owner_of(TiedId id) { return id >> 32; }
int32_t number_of(TiedId id) { return static_cast<int32_t>(id & 0xffffffff); }

struct Tie {
  TiedId a, b;
  auto operator<=>(const Tie&) const = default;
};

class TiedNodes {
 public:
  TiedNodes(const Communicator& all, const Circuit& part, const NodeMentions& mentions, const NameStems& stems,
            Owners& owners)
      : all_(all),
        ranks_(static_cast<size_t>(all.count())),
        mentions_(mentions),
        owners_(owners),
        mine_(stems),
        index_(stems) {
    for (const Kind kind : {kResistor, kInductor, kVoltageSource}) {
      const Elements& e = part.elements(kind);
      for (int64_t i = 0; i < e.size(); ++i)
        if ((kind != kResistor || e.value[i] == 0) && e.a[i] != e.b[i] && e.a[i] != kGround && e.b[i] != kGround)
          ties_.emplace_back(e.a[i], e.b[i]);
    }
  }

  void move() {
    double crossing = 0;
    for (const auto& [a, b] : ties_) crossing += owner(a) != owner(b);
    all_.sum({&crossing, 1});
    if (crossing == 0) return;
    number_nodes();
    const std::unordered_map<TiedId, TiedId> first = first_of_sets();
    Writer moved;
    for (int32_t n = 0; n < index_.size(); ++n) {
      const auto found = first.find(tied_id(all_.rank(), sets_->find(n)));
      if (found == first.end() || owner_of(found->second) == all_.rank()) continue;
      moved.put(owner_of(found->second));
      index_.put(n, moved);
    }
    read_all(all_, moved, [&](Reader& reader) {
      const int owner = reader.take<int>();
      const auto key = reader.take<NameKey>();
      name_key::is_text(key) ? owners_.move(reader.text(), owner) : owners_.move(key, owner);
    });
  }

 private:
  int owner(NodeId mention) const {
    const NameKey key = mentions_[mention];
    return name_key::is_text(key) ? owners_.of(mentions_.texts()[name_key::text_of(key)]) : owners_.of(key);
  }

  /// Owners number the tied nodes.
  void number_nodes() {
    std::vector<Writer> to(ranks_);
    std::vector<int> owner_of_mine;
    std::vector<std::pair<int32_t, int32_t>> ends;
    const auto number = [&](NodeId mention) {
      const NameKey key = mentions_[mention];
      const int32_t before = mine_.size();
      const int32_t n =
          name_key::is_text(key) ? mine_.intern(mentions_.texts()[name_key::text_of(key)]) : mine_.intern(key);
      if (n == before) {
        owner_of_mine.push_back(owner(mention));
        mine_.put(n, to[owner_of_mine.back()]);
      }
      return n;
    };
    for (const auto& [a, b] : ties_) {
      const int32_t first = number(a);
      ends.emplace_back(first, number(b));
    }
    std::vector<std::vector<int32_t>> numbers(ranks_);
    const std::vector<Communicator::Bytes> bytes = all_to_all(all_, std::move(to));
    for (size_t p = 0; p < ranks_; ++p)
      for (Reader reader(bytes[p]); !reader.is_done();) numbers[p].push_back(index_.intern(reader));
    numbers = all_to_all(all_, std::move(numbers));
    std::vector<size_t> next(ranks_, 0);
    std::vector<TiedId> id;
    for (const int p : owner_of_mine) id.push_back(tied_id(p, numbers[p][next[p]++]));
    for (const auto& [a, b] : ends) tied_.push_back({id[a], id[b]});
  }

  /// For each node that is the lowest of those tied together here, the first node of all that it is tied to anywhere.
  std::unordered_map<TiedId, TiedId> first_of_sets() {
    std::vector<std::vector<Tie>> to(ranks_);
    for (const Tie& tie : tied_) to[owner_of(tie.a)].push_back(tie);
    const auto ties = all_to_all(all_, std::move(to));
    sets_.emplace(index_.size());
    for (const auto& from : ties)
      for (const auto& [a, b] : from)
        if (owner_of(b) == all_.rank()) sets_->unite(number_of(a), number_of(b));
    const auto root = [&](TiedId own) { return tied_id(all_.rank(), sets_->find(number_of(own))); };
    to.assign(ranks_, {});
    for (const auto& from : ties)
      for (const auto& [a, b] : from)
        if (owner_of(b) != all_.rank()) to[owner_of(b)].push_back({root(a), b});
    std::vector<Tie> joined;
    for (const auto& from : all_to_all(all_, std::move(to)))
      for (const auto& [a, b] : from) joined.push_back({a, root(b)});
    sort_unique(joined);
    std::unordered_map<TiedId, TiedId> above;
    const auto find = [&](TiedId id) {
      for (auto up = above.find(id); up != above.end() && up->second != id; up = above.find(id)) id = up->second;
      return id;
    };
    for (const auto& [a, b] : gather(all_, joined)) {
      const TiedId x = find(a), y = find(b);
      above[a] = above[b] = above[x] = above[y] = std::min(x, y);
    }
    std::unordered_map<TiedId, TiedId> first;
    for (const auto& [id, up] : above) first[id] = find(up);
    return first;
  }

  const Communicator& all_;
  size_t ranks_;
  const NodeMentions& mentions_;
  Owners& owners_;
  std::vector<std::pair<NodeId, NodeId>> ties_;  ///< of this process's text
  NodeIndex mine_;                               ///< the ends of these
  std::vector<Tie> tied_;                        ///< the same ties
  NodeIndex index_;                              ///< those that this process owns
  std::optional<DisjointSets> sets_;             ///< of the latter
};

}  // namespace

void move_tied_nodes(const Communicator& all, const Circuit& part, const NodeMentions& mentions, const NameStems& stems,
                     Owners& owners) {
  TiedNodes(all, part, mentions, stems, owners).move();
}

}  // namespace gridiron::distributed
