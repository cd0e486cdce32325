// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/dealer.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "analysis/distributed/node_index.hpp"
#include "analysis/distributed/owners.hpp"
#include "analysis/distributed/place_table.hpp"
#include "analysis/distributed/tied_nodes.hpp"

namespace gridiron::distributed {
namespace {

/// An element on its way to the owners of its ends. Texts of keys that are some go beside it, in the order of a, b.
struct Record {
  NameKey a, b;
  double value;
  std::uint64_t file : 16, kind : 3, owns_a : 1, owns_b : 1, offset : 43;
};

struct Letter {
  std::vector<Record> records;
  Writer texts;
};

/// The elements of one kind as they come. Nodes: 0 is ground, n + 1 own number n, −n − 1 number n of others.
struct Arrived {
  std::vector<std::int32_t> a, b;
  std::vector<double> value;
  std::vector<Origin> origin;
};

/// What one process sends in one round: per kind where it begins among all that arrived.
struct Delivery {
  std::array<std::size_t, kKinds> begin;
};

/// Bytes of the text, of which some are marked.
class Marks {
 public:
  Marks(std::uint64_t begin, std::uint64_t end)
      : begin_(begin), words_((end - begin) / 64 + 1), before_(words_.size()) {}
  void set(std::uint64_t at) { words_[(at - begin_) / 64] |= std::uint64_t{1} << (at - begin_) % 64; }
  /// How many there are; from then on before() tells how many are before one.
  std::int64_t count() {
    std::int64_t marks = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      before_[k] = static_cast<std::uint32_t>(marks);
      marks += std::popcount(words_[k]);
    }
    return marks;
  }
  std::uint32_t before(std::uint64_t at) const {
    const std::uint64_t lower = (std::uint64_t{1} << (at - begin_) % 64) - 1;
    const std::size_t word = (at - begin_) / 64;
    return before_[word] + static_cast<std::uint32_t>(std::popcount(words_[word] & lower));
  }

 private:
  std::uint64_t begin_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
};

class Dealer {
 public:
  Dealer(const Communicator& all, NetlistPart::Cards part, LocalCircuit& local)
      : all_(all),
        ranks_(static_cast<std::size_t>(all.count())),
        part_(std::move(part.circuit)),
        mentions_(std::move(part.nodes)),
        local_(local),
        stems_(share_stems(all, mentions_)),
        owners_(all, mentions_, stems_),
        own_(stems_),
        others_(stems_),
        places_(local.circuit, stems_),
        first_mentioned_(ranks_) {
    std::uint64_t bytes = 0;
    for (const auto& file : part_.files) {
      begin_of_file_.push_back(bytes);
      bytes += file->text().size();
    }
  }

  void deal() {
    move_tied_nodes(all_, part_, mentions_, stems_, owners_);
    for (int k = 0; k < kKinds; ++k) local_.elements_in_all[k] = sum(all_, part_.elements(static_cast<Kind>(k)).size());
    find_extent();
    has_texts_ = largest(all_, mentions_.texts().size()) > 1;  // the first one is ground
    reserve();
    owner_of_text_.resize(static_cast<std::size_t>(mentions_.texts().size()));
    for (std::int32_t t = 0; t < mentions_.texts().size(); ++t) owner_of_text_[t] = owners_.of(mentions_.texts()[t]);
    exchange_elements();
    part_ = {};
    mentions_ = {};
    number_own_nodes();
    add_nodes_of_others();
    collect_elements();
  }

 private:
  /// Of the text of all processes; a node's first mention is that of this card, or one later if it is its second node.
  std::uint64_t place_of(Origin origin) const { return begin_of_file_[origin.file] + origin.offset; }

  /// The part of the text in which this process found elements.
  struct Extent {
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;
  };

  void find_extent() {
    Extent mine;
    for (int k = 0; k < kKinds; ++k)
      if (const Elements& e = part_.elements(static_cast<Kind>(k)); e.size() > 0) {
        mine.begin = std::min(mine.begin, place_of(e.origin.front()));
        mine.end = std::max(mine.end, place_of(e.origin.back()) + 2);
      }
    extents_ = gather(all_, std::vector<Extent>{mine});
  }

  /// Room for about the share of this process.
  void reserve() {
    constexpr double kSpare = 1.1;
    const auto nodes = static_cast<std::size_t>(kSpare * owners_.names_of_each());
    own_.reserve(nodes);
    first_place_.reserve(nodes);
    for (int k = 0; k < kKinds; ++k) {
      const auto elements = static_cast<std::size_t>(kSpare * static_cast<double>(local_.elements_in_all[k]) /
                                                     static_cast<double>(ranks_));
      Arrived& to = arrived_[k];
      to.a.reserve(elements), to.b.reserve(elements), to.value.reserve(elements), to.origin.reserve(elements);
    }
  }

  /// In rounds of a few MB each, in the order of the text.
  void exchange_elements() {
    constexpr std::int64_t kCards = 1 << 16;
    const auto rounds =
        static_cast<std::int64_t>(largest(all_, static_cast<double>((part_.element_count() + kCards - 1) / kCards)));
    for (std::int64_t round = 0; round < rounds; ++round) {
      std::vector<std::vector<Record>> records(ranks_);
      std::vector<Communicator::Bytes> texts(ranks_);
      std::vector<Letter> to(ranks_);
      write(to, kCards);
      for (std::size_t p = 0; p < ranks_; ++p) {
        records[p] = std::move(to[p].records);
        texts[p] = to[p].texts.take();
      }
      records = all_to_all(all_, std::move(records));
      if (has_texts_) texts = all_.all_to_all(std::move(texts));
      for (std::size_t p = 0; p < ranks_; ++p) read(p, records[p], texts[p]);
    }
  }

  /// The next cards, in the order of the text, to the owners of their nodes.
  void write(std::vector<Letter>& to, std::int64_t cards) {
    constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    while (cards > 0) {
      std::uint64_t nearest = kNone, next = kNone;
      int kind = 0;
      for (int k = 0; k < kKinds; ++k) {
        const Elements& e = part_.elements(static_cast<Kind>(k));
        const std::uint64_t place = written_[k] < e.size() ? place_of(e.origin[written_[k]]) : kNone;
        next = std::min(next, std::max(nearest, place));
        if (place < nearest) nearest = place, kind = k;
      }
      if (nearest == kNone) return;
      const Elements& e = part_.elements(static_cast<Kind>(kind));
      std::int64_t& i = written_[kind];
      for (; i < e.size() && cards > 0 && place_of(e.origin[i]) < next; ++i, --cards) write(to, kind, e, i);
    }
  }

  void write(std::vector<Letter>& to, int kind, const Elements& e, std::int64_t i) {
    const NameKey a = mentions_[e.a[i]], b = mentions_[e.b[i]];
    const int owner_a = owner(a), owner_b = owner(b);
    const auto put = [&](int p) {
      to[p].records.push_back({a, b, e.value[i], e.origin[i].file, static_cast<std::uint64_t>(kind), owner_a == p,
                               owner_b == p, e.origin[i].offset});
      for (const NameKey key : {a, b})
        if (name_key::is_text(key) && key != name_key::kGround)
          to[p].texts.put(mentions_.texts()[name_key::text_of(key)]);
    };
    if (owner_a >= 0 || owner_b < 0) put(std::max(owner_a, 0));
    if (owner_b >= 0 && owner_b != owner_a) put(owner_b);
  }

  /// −1 for ground.
  int owner(NameKey key) {
    if (key == name_key::kGround) return -1;
    if (name_key::is_text(key)) return owner_of_text_[name_key::text_of(key)];
    if (key != last_key_) {
      last_key_ = key;
      last_owner_ = owners_.of(key);
    }
    return last_owner_;
  }

  void read(std::size_t from, const std::vector<Record>& records, const Communicator::Bytes& texts) {
    constexpr std::size_t kAhead = 12;
    // Rounds before this one brought what is later in the text than this, but for the last part.
    const bool may_be_earlier = deliveries_.size() >= ranks_ && from + 1 < ranks_;
    Delivery& delivery = deliveries_.emplace_back();
    for (int k = 0; k < kKinds; ++k) delivery.begin[k] = arrived_[k].a.size();
    last_arrived_ = name_key::kGround;
    Reader text(texts);
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (i + kAhead < records.size()) {
        const Record& later = records[i + kAhead];
        if (later.owns_a) own_.prefetch(later.a);
        if (later.owns_b) own_.prefetch(later.b);
      }
      const Record& r = records[i];
      const std::uint64_t place = begin_of_file_[r.file] + r.offset;
      Arrived& to = arrived_[r.kind];
      to.a.push_back(node(from, r.a, r.owns_a, place, may_be_earlier, text));
      to.b.push_back(node(from, r.b, r.owns_b, place + 1, may_be_earlier, text));
      to.value.push_back(r.value);
      to.origin.push_back({r.file, r.offset});
    }
  }

  /// As Arrived has it.
  std::int32_t node(std::size_t from, NameKey key, bool is_own, std::uint64_t place, bool may_be_earlier,
                    Reader& text) {
    if (key == name_key::kGround) return 0;
    if (key == last_arrived_ && is_own) return last_node_;  // along a wire
    NodeIndex& index = is_own ? own_ : others_;
    const bool is_text = name_key::is_text(key);
    const std::string_view name = is_text ? text.text() : std::string_view();
    const std::int32_t number = is_text ? index.intern(name) : index.intern(key);
    if (!is_own) return -number - 1;
    if (number == static_cast<std::int32_t>(first_place_.size())) {
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
    if (!is_text) last_arrived_ = key, last_node_ = number + 1;
    return number + 1;
  }

  /// Own nodes in the order of their first mentions, which give the ids of a run of one process, too.
  void number_own_nodes() {
    local_.own = own_.size();
    node_of_own_.resize(static_cast<std::size_t>(own_.size()));
    std::vector<std::vector<std::uint64_t>> places(ranks_);
    NodeNames& names = local_.circuit.nodes;
    names.intern("0");
    places_.reserve(static_cast<std::size_t>(own_.size() + others_.size()));
    for (std::size_t p = 0; p < ranks_; ++p) {
      for (const std::int32_t number : first_mentioned_[p]) {
        const std::uint64_t place = first_place_[number];
        if (place < extents_[p].begin || place >= extents_[p].end) continue;  // another process has an earlier mention
        places[p].push_back(place);
        node_of_own_[number] = names.size();
        const SpelledName name = own_.name(number);
        names.append(name);
        places_.add(own_.key(number), name);
      }
      std::vector<std::int32_t>().swap(first_mentioned_[p]);
    }
    std::vector<std::uint64_t>().swap(first_place_);
    local_.placed = sum(all_, places_.placed());
    local_.ibm = sum(all_, places_.ibm());
    local_.iccad = sum(all_, places_.iccad());
    find_serials(std::move(places));
  }

  /// `places`: per process where in its part nodes are mentioned first.
  void find_serials(std::vector<std::vector<std::uint64_t>> places) {
    places = all_to_all(all_, std::move(places));
    const Extent mine = extents_[static_cast<std::size_t>(all_.rank())];
    Marks marks(std::min(mine.begin, mine.end), mine.end);
    for (const auto& from : places)
      for (const std::uint64_t place : from) marks.set(place);
    local_.first_of_part = {1};
    for (const auto count : gather(all_, std::vector<std::int64_t>{marks.count()}))
      local_.first_of_part.push_back(local_.first_of_part.back() + count);
    local_.nodes_in_all = local_.first_of_part.back();
    std::vector<std::vector<std::uint32_t>> ranks(ranks_);
    for (std::size_t p = 0; p < ranks_; ++p)
      for (const std::uint64_t place : places[p]) ranks[p].push_back(marks.before(place));
    local_.serial = {0};
    local_.serial.reserve(static_cast<std::size_t>(local_.own) + 1);
    ranks = all_to_all(all_, std::move(ranks));
    for (std::size_t p = 0; p < ranks_; ++p)
      for (const std::uint32_t rank : ranks[p]) local_.serial.push_back(local_.first_of_part[p] + rank);
  }

  /// By owner and their numbers there.
  void add_nodes_of_others() {
    std::vector<std::vector<std::int32_t>> of_owner(ranks_);
    std::vector<Writer> names(ranks_);
    for (std::int32_t n = 0; n < others_.size(); ++n) {
      const NameKey key = others_.key(n);
      const int p = name_key::is_text(key) ? owners_.of(others_.text(key)) : owners_.of(key);
      of_owner[p].push_back(n);
      names[p].put(key);
      if (name_key::is_text(key)) names[p].put(others_.text(key));
    }
    std::vector<Communicator::Bytes> bytes;
    for (Writer& writer : names) bytes.push_back(writer.take());
    bytes = all_.all_to_all(std::move(bytes));
    local_.asked.resize(ranks_);
    for (std::size_t p = 0; p < ranks_; ++p)
      for (Reader reader(bytes[p]); !reader.is_done();) {
        const auto key = reader.take<NameKey>();
        local_.asked[p].push_back(node_of_own_[name_key::is_text(key) ? own_.find(reader.text()) : own_.find(key)]);
      }
    const std::vector<std::vector<NodeId>> there = all_to_all(all_, local_.asked);
    node_of_other_.resize(static_cast<std::size_t>(others_.size()));
    for (std::size_t p = 0; p < ranks_; ++p) {
      std::sort(local_.asked[p].begin(), local_.asked[p].end());
      std::vector<std::pair<NodeId, std::int32_t>> order;
      for (std::size_t k = 0; k < there[p].size(); ++k) order.emplace_back(there[p][k], of_owner[p][k]);
      std::sort(order.begin(), order.end());
      for (const auto& [_, n] : order) {
        node_of_other_[n] = local_.circuit.nodes.size();
        const SpelledName name = others_.name(n);
        local_.circuit.nodes.append(name);
        places_.add(others_.key(n), name);
      }
      local_.others.push_back(static_cast<std::int32_t>(order.size()));
    }
    local_.circuit.nodes.shrink_to_fit();
    local_.places = places_.take();
    own_ = NodeIndex(stems_);
    others_ = NodeIndex(stems_);
  }

  void collect_elements() {
    const auto node = [this](std::int32_t sent) {
      return sent > 0 ? node_of_own_[sent - 1] : sent < 0 ? node_of_other_[-sent - 1] : kGround;
    };
    for (int k = 0; k < kKinds; ++k) {
      Elements& e = local_.circuit.elements(static_cast<Kind>(k));
      Arrived& all = arrived_[k];
      const std::size_t count = all.a.size();
      e.a.reserve(count), e.b.reserve(count), e.value.reserve(count), e.origin.reserve(count);
      for (std::size_t p = 0; p < ranks_; ++p)
        for (std::size_t d = p; d < deliveries_.size(); d += ranks_) {
          const std::size_t begin = deliveries_[d].begin[k];
          const std::size_t end = d + 1 < deliveries_.size() ? deliveries_[d + 1].begin[k] : count;
          for (std::size_t i = begin; i < end; ++i) e.a.push_back(node(all.a[i]));
          for (std::size_t i = begin; i < end; ++i) e.b.push_back(node(all.b[i]));
          const auto copy = [&](auto& to, const auto& from) {
            to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
                      from.begin() + static_cast<std::ptrdiff_t>(end));
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
  std::size_t ranks_;
  Circuit part_;
  NodeMentions mentions_;
  LocalCircuit& local_;
  NameStems stems_;
  Owners owners_;
  std::vector<std::uint64_t> begin_of_file_;  ///< in the text of all files
  std::vector<Extent> extents_;               ///< per process

  std::vector<int> owner_of_text_;
  NameKey last_key_ = name_key::kGround;
  int last_owner_ = -1;
  std::array<std::int64_t, kKinds> written_{};
  bool has_texts_ = false;

  NameKey last_arrived_ = name_key::kGround;
  std::int32_t last_node_ = 0;
  NodeIndex own_, others_;
  PlaceTable places_;                                       ///< of nodes as they are added to the local circuit
  std::vector<std::uint64_t> first_place_;                  ///< per own number
  std::vector<std::vector<std::int32_t>> first_mentioned_;  ///< per process own numbers, in the order of its text
  std::array<Arrived, kKinds> arrived_;                     ///< per kind
  std::vector<Delivery> deliveries_;
  std::vector<NodeId> node_of_own_, node_of_other_;  ///< per number
};

}  // namespace

void deal(const Communicator& all, NetlistPart::Cards part, LocalCircuit& local) {
  Dealer(all, std::move(part), local).deal();
}

}  // namespace gridiron::distributed
