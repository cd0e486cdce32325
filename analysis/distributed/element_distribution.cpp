// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/element_distribution.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "analysis/distributed/element_sender.hpp"
#include "analysis/distributed/node_index.hpp"
#include "analysis/distributed/place_table.hpp"
#include "analysis/distributed/tied_nodes.hpp"

namespace gridiron::distributed {
namespace {

/// The elements of one kind in the order in which they are received. Of nodes 0 is ground, n + 1 own number n, and −n −
/// 1 number n of others.
struct ReceivedElements {
  std::vector<int32_t> a, b;
  std::vector<double> value;
  std::vector<Origin> origin;
};

/// What one process has sent in one round: per kind where it begins among the received elements.
struct ReceivedBatch {
  std::array<size_t, kKinds> begin;
};

/// A set of positions in a range of the text, which tells the rank of each.
class PositionRanks {
 public:
  PositionRanks(uint64_t begin, uint64_t end) : begin_(begin), words_((end - begin) / 64 + 1), before_(words_.size()) {}
  void add(uint64_t at) { words_[(at - begin_) / 64] |= uint64_t{1} << (at - begin_) % 64; }
  /// How many there are, once all are added. From then on rank_of() tells how many are before one.
  int64_t count() {
    int64_t positions = 0;
    for (size_t k = 0; k < words_.size(); ++k) {
      before_[k] = static_cast<uint32_t>(positions);
      positions += std::popcount(words_[k]);
    }
    return positions;
  }
  uint32_t rank_of(uint64_t at) const {
    const uint64_t lower = (uint64_t{1} << (at - begin_) % 64) - 1;
    const size_t word = (at - begin_) / 64;
    return before_[word] + static_cast<uint32_t>(std::popcount(words_[word] & lower));
  }

 private:
  uint64_t begin_;
  std::vector<uint64_t> words_;
  std::vector<uint32_t> before_;
};

class ElementDistribution {
 public:
  ElementDistribution(const Communicator& all, NetlistPart::Cards part, LocalCircuit& local)
      : all_(all),
        ranks_(static_cast<size_t>(all.count())),
        part_(std::move(part.circuit)),
        mentions_(std::move(part.nodes)),
        local_(local),
        place_of_(part_),
        stems_(share_stems(all, mentions_)),
        owners_(all, mentions_, stems_),
        own_(stems_),
        others_(stems_),
        places_(local.circuit, stems_),
        first_mentioned_(ranks_) {}

  void run() {
    move_tied_nodes(all_, part_, mentions_, stems_, owners_);
    for (int k = 0; k < kKinds; ++k) local_.elements_in_all[k] = sum(all_, part_.elements(static_cast<Kind>(k)).size());
    find_extent();
    has_texts_ = largest(all_, mentions_.texts().size()) > 1;  // the first one is ground
    reserve();
    exchange_elements();
    part_ = {};
    mentions_ = {};
    number_own_nodes();
    add_nodes_of_others();
    collect_elements();
  }

 private:
  /// The part of the text in which this process found elements.
  struct Extent {
    uint64_t begin = UINT64_MAX, end = 0;
  };

  void find_extent() {
    Extent mine;
    for (int k = 0; k < kKinds; ++k)
      if (const Elements& e = part_.elements(static_cast<Kind>(k)); e.size() > 0) {
        mine.begin = std::min(mine.begin, place_of_(e.origin.front()));
        mine.end = std::max(mine.end, place_of_(e.origin.back()) + 2);
      }
    extents_ = gather(all_, std::vector<Extent>{mine});
  }

  /// Makes room for the nodes and elements that this process is about to own.
  void reserve() {
    constexpr double kSpare = 1.1;
    const size_t nodes = kSpare * owners_.names_of_each();
    own_.reserve(nodes);
    first_place_.reserve(nodes);
    for (int k = 0; k < kKinds; ++k) {
      const auto elements =
          static_cast<size_t>(kSpare * static_cast<double>(local_.elements_in_all[k]) / static_cast<double>(ranks_));
      ReceivedElements& to = received_[k];
      to.a.reserve(elements), to.b.reserve(elements), to.value.reserve(elements), to.origin.reserve(elements);
    }
  }

  /// Elements are exchanged in rounds of a few MB each, in the order of the text.
  void exchange_elements() {
    constexpr int64_t kCards = 1 << 16;
    const int64_t own_rounds = (part_.element_count() + kCards - 1) / kCards;
    const auto rounds = static_cast<int64_t>(largest(all_, static_cast<double>(own_rounds)));
    ElementSender sender(part_, mentions_, owners_, place_of_);
    for (int64_t round = 0; round < rounds; ++round) {
      ElementMessages to = sender.next(ranks_, kCards);
      const auto records = all_to_all(all_, std::move(to.records));
      std::vector<Communicator::Bytes> texts(ranks_);
      if (has_texts_) texts = all_to_all(all_, std::move(to.texts));
      for (size_t p = 0; p < ranks_; ++p) read(p, records[p], texts[p]);
    }
  }

  void read(size_t from, const std::vector<ElementRecord>& records, const Communicator::Bytes& texts) {
    constexpr size_t kAhead = 12;
    // Earlier rounds brought cards from later in the text than these, unless these are of the last part.
    const bool may_be_earlier = batches_.size() >= ranks_ && from + 1 < ranks_;
    ReceivedBatch& batch = batches_.emplace_back();
    for (int k = 0; k < kKinds; ++k) batch.begin[k] = received_[k].a.size();
    last_received_ = name_key::kGround;
    Reader text(texts);
    for (size_t i = 0; i < records.size(); ++i) {
      if (i + kAhead < records.size()) {
        const ElementRecord& later = records[i + kAhead];
        if (later.owns_a) own_.prefetch(later.a);
        if (later.owns_b) own_.prefetch(later.b);
      }
      const ElementRecord& r = records[i];
      const uint64_t place = place_of_(r.file, r.offset);
      ReceivedElements& to = received_[r.kind];
      to.a.push_back(node(from, r.a, r.owns_a, place, may_be_earlier, text));
      to.b.push_back(node(from, r.b, r.owns_b, place + 1, may_be_earlier, text));
      to.value.push_back(r.value);
      to.origin.push_back({r.file, r.offset});
    }
  }

  /// The node as ReceivedElements has it.
  int32_t node(size_t from, NameKey key, bool is_own, uint64_t place, bool may_be_earlier, Reader& text) {
    if (key == name_key::kGround) return 0;
    if (key == last_received_ && is_own) return last_node_;  // along a wire
    NodeIndex& index = is_own ? own_ : others_;
    const bool is_text = name_key::is_text(key);
    const std::string_view name = is_text ? text.text() : std::string_view();
    const int32_t number = is_text ? index.intern(name) : index.intern(key);
    if (!is_own) return -number - 1;
    if (number == static_cast<int32_t>(first_place_.size())) {
      first_place_.push_back(place);
      first_mentioned_[from].push_back(number);
    } else if (may_be_earlier && place < first_place_[number]) {
      first_place_[number] = place;
      first_mentioned_[from].push_back(number);
      if (is_text)
        own_.respell(number, name);
      else
        own_.respell(number, key);
    }
    if (!is_text) last_received_ = key, last_node_ = number + 1;
    return number + 1;
  }

  /// Own nodes are numbered in the order of their first mentions, by which a run of one process numbers all nodes.
  void number_own_nodes() {
    local_.own = own_.size();
    node_of_own_.resize(own_.size());
    std::vector<std::vector<uint64_t>> places(ranks_);
    NodeNames& names = local_.circuit.nodes;
    names.intern("0");
    places_.reserve(own_.size() + others_.size());
    for (size_t p = 0; p < ranks_; ++p) {
      for (const int32_t number : first_mentioned_[p]) {
        const uint64_t place = first_place_[number];
        if (place < extents_[p].begin || place >= extents_[p].end) continue;  // another process has an earlier mention
        places[p].push_back(place);
        node_of_own_[number] = names.size();
        const SpelledName name = own_.name(number);
        names.append(name);
        places_.add(own_.key(number), name);
      }
      std::vector<int32_t>().swap(first_mentioned_[p]);
    }
    std::vector<uint64_t>().swap(first_place_);
    local_.placed = sum(all_, places_.placed());
    const NameStyles& styles = places_.styles();
    local_.styles = {sum(all_, styles.ibm), sum(all_, styles.openroad), sum(all_, styles.iccad)};
    find_serials(std::move(places));
  }

  /// `places`: per process where in its part nodes are mentioned first.
  void find_serials(std::vector<std::vector<uint64_t>> places) {
    places = all_to_all(all_, std::move(places));
    const Extent mine = extents_[all_.rank()];
    PositionRanks ranks_of_part(std::min(mine.begin, mine.end), mine.end);
    for (const auto& from : places)
      for (const uint64_t place : from) ranks_of_part.add(place);
    local_.first_of_part = {1};
    for (const auto count : gather(all_, std::vector<int64_t>{ranks_of_part.count()}))
      local_.first_of_part.push_back(local_.first_of_part.back() + count);
    local_.nodes_in_all = local_.first_of_part.back();
    std::vector<std::vector<uint32_t>> ranks(ranks_);
    for (size_t p = 0; p < ranks_; ++p)
      for (const uint64_t place : places[p]) ranks[p].push_back(ranks_of_part.rank_of(place));
    local_.serial = {0};
    local_.serial.reserve(static_cast<size_t>(local_.own) + 1);
    ranks = all_to_all(all_, std::move(ranks));
    for (size_t p = 0; p < ranks_; ++p)
      for (const uint32_t rank : ranks[p]) local_.serial.push_back(local_.first_of_part[p] + rank);
  }

  /// Nodes of others follow the own ones by owner, then by their numbers there.
  void add_nodes_of_others() {
    std::vector<std::vector<int32_t>> of_owner(ranks_);
    std::vector<Writer> names(ranks_);
    for (int32_t n = 0; n < others_.size(); ++n) {
      const NameKey key = others_.key(n);
      const int p = name_key::is_text(key) ? owners_.of(others_.text(key)) : owners_.of(key);
      of_owner[p].push_back(n);
      others_.put(n, names[p]);
    }
    const std::vector<Communicator::Bytes> bytes = all_to_all(all_, std::move(names));
    local_.asked.resize(ranks_);
    for (size_t p = 0; p < ranks_; ++p)
      for (Reader reader(bytes[p]); !reader.is_done();) local_.asked[p].push_back(node_of_own_[own_.find(reader)]);
    const std::vector<std::vector<NodeId>> there = all_to_all(all_, local_.asked);
    node_of_other_.resize(others_.size());
    for (size_t p = 0; p < ranks_; ++p) {
      std::ranges::sort(local_.asked[p]);
      std::vector<std::pair<NodeId, int32_t>> order;
      for (size_t k = 0; k < there[p].size(); ++k) order.emplace_back(there[p][k], of_owner[p][k]);
      std::ranges::sort(order);
      for (const auto& [_, n] : order) {
        node_of_other_[n] = local_.circuit.nodes.size();
        const SpelledName name = others_.name(n);
        local_.circuit.nodes.append(name);
        places_.add(others_.key(n), name);
      }
      local_.others.push_back(static_cast<int32_t>(order.size()));
    }
    local_.circuit.nodes.shrink_to_fit();
    local_.places = places_.take();
    own_ = NodeIndex(stems_);
    others_ = NodeIndex(stems_);
  }

  void collect_elements() {
    const auto node = [this](int32_t sent) {
      return sent > 0 ? node_of_own_[sent - 1] : sent < 0 ? node_of_other_[-sent - 1] : kGround;
    };
    for (int k = 0; k < kKinds; ++k) {
      Elements& e = local_.circuit.elements(static_cast<Kind>(k));
      ReceivedElements& all = received_[k];
      const size_t count = all.a.size();
      e.a.reserve(count), e.b.reserve(count), e.value.reserve(count), e.origin.reserve(count);
      for (size_t p = 0; p < ranks_; ++p)
        for (size_t d = p; d < batches_.size(); d += ranks_) {
          const size_t begin = batches_[d].begin[k];
          const size_t end = d + 1 < batches_.size() ? batches_[d + 1].begin[k] : count;
          for (size_t i = begin; i < end; ++i) e.a.push_back(node(all.a[i]));
          for (size_t i = begin; i < end; ++i) e.b.push_back(node(all.b[i]));
          const auto copy = [&](auto& to, const auto& from) {
            to.insert(to.end(), from.begin() + begin, from.begin() + end);
          };
          copy(e.value, all.value);
          copy(e.origin, all.origin);
        }
      all = {};
    }
    for (Sources* sources : {&local_.circuit.voltage_sources, &local_.circuit.current_sources})
      sources->waveform.assign(sources->a.size(), -1);
  }

  const Communicator& all_;
  size_t ranks_;
  Circuit part_;
  NodeMentions mentions_;
  LocalCircuit& local_;
  CardPlaces place_of_;
  NameStems stems_;
  Owners owners_;
  std::vector<Extent> extents_;  ///< per process
  bool has_texts_ = false;

  NameKey last_received_ = name_key::kGround;
  int32_t last_node_ = 0;
  NodeIndex own_, others_;
  PlaceTable places_;                                  ///< of nodes as they are added to the local circuit
  std::vector<uint64_t> first_place_;                  ///< per own number
  std::vector<std::vector<int32_t>> first_mentioned_;  ///< per process own numbers, in the order of its text
  std::array<ReceivedElements, kKinds> received_;      ///< per kind
  std::vector<ReceivedBatch> batches_;
  std::vector<NodeId> node_of_own_, node_of_other_;  ///< per number
};

}  // namespace

void distribute_elements(const Communicator& all, NetlistPart::Cards part, LocalCircuit& local) {
  ElementDistribution(all, std::move(part), local).run();
}

}  // namespace gridiron::distributed
