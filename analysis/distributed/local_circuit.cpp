// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/local_circuit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <unordered_map>

#include "analysis/distributed/owners.hpp"
#include "analysis/ir/findings.hpp"
#include "netlist/node_place.hpp"
#include "netlist/part_reader.hpp"
#include "support/disjoint_sets.hpp"
#include "support/error.hpp"

namespace gridiron::distributed {
namespace {

/// A node of all processes: its owner, and its number there. Ground is everywhere.
using GlobalId = std::int64_t;
constexpr GlobalId kGroundOfAll = -1;
GlobalId global_id(int owner, std::int32_t number) { return std::int64_t{owner} << 32 | number; }
int owner_of(GlobalId id) { return static_cast<int>(id >> 32); }
std::int32_t number_of(GlobalId id) { return static_cast<std::int32_t>(id & 0xffffffff); }

using Texts = std::vector<std::string_view>;

/// Sends names; returns what each process sent, with the bytes that they lie in.
struct SentNames {
  std::vector<Communicator::Bytes> bytes;
  std::vector<std::vector<std::uint32_t>> lengths;

  /// Calls take(process, name) in order.
  template <class Take>
  void for_each(Take take) const {
    for (std::size_t p = 0; p < bytes.size(); ++p) {
      std::size_t at = 0;
      for (const std::uint32_t length : lengths[p]) {
        take(p, std::string_view(bytes[p].data() + at, length));
        at += length;
      }
    }
  }
};

SentNames send_names(const Communicator& all, const std::vector<Texts>& to) {
  std::vector<Communicator::Bytes> bytes(to.size());
  std::vector<std::vector<std::uint32_t>> lengths(to.size());
  for (std::size_t p = 0; p < to.size(); ++p)
    for (const std::string_view name : to[p]) {
      bytes[p].insert(bytes[p].end(), name.begin(), name.end());
      lengths[p].push_back(static_cast<std::uint32_t>(name.size()));
    }
  SentNames sent;
  sent.bytes = all.all_to_all(std::move(bytes));
  sent.lengths = all_to_all(all, std::move(lengths));
  return sent;
}

/// The cards of this process's part of the text; none where an .end comes before.
Circuit read_part(const Communicator& all, const std::vector<std::string>& paths, const ReadOptions& options) {
  std::vector<std::shared_ptr<const SourceText>> files;
  together(all, [&] {
    for (const std::string& path : paths) {
      if (path == "-") throw InputError("several processes cannot read standard input; name a file");
      files.push_back(SourceText::open(path));
      if (files.back()->bytes_on_disk() != static_cast<std::int64_t>(files.back()->text().size()))
        throw InputError(fmt::format("{}: several processes read plain text only; unpack the file", path));
    }
  });
  std::optional<NetlistPart> part;
  std::exception_ptr error;
  try {
    part.emplace(files, all.rank(), all.count(), options);
  } catch (...) {
    error = std::current_exception();
  }
  const auto ends = gather(all, std::vector<char>{part && part->has_end()});
  const auto first_end = std::find(ends.begin(), ends.end(), 1) - ends.begin();
  const bool is_used = all.rank() <= first_end;
  together(all, [&] {
    if (error && is_used) std::rethrow_exception(error);
  });

  Writer first_line;
  if (all.rank() == 0)
    for (const std::string& node : part->nodes_of_first_line()) first_line.put(node);
  const Communicator::Bytes of_first = all.gather(first_line.bytes())[0];
  std::vector<std::string> nodes;
  for (Reader reader(of_first); !reader.is_done();) nodes.emplace_back(reader.text());
  std::vector<double> occurs(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k)
    occurs[k] = all.rank() > 0 && is_used && part->has_node(nodes[k]) ? 1.0 : 0.0;
  all.largest(occurs);

  Circuit circuit;
  together(all, [&] {
    if (is_used) {
      circuit = part->take([&](std::string_view name) {
        const auto found = std::find(nodes.begin(), nodes.end(), name);
        return found != nodes.end() && occurs[static_cast<std::size_t>(found - nodes.begin())] > 0;
      });
    } else {
      circuit.nodes.intern("0");
      circuit.files = files;
    }
    if (first_end == static_cast<std::ptrdiff_t>(ends.size()) && all.rank() == 0)
      if (const auto missing = missing_end(*files.back())) circuit.findings.push_back(*missing);
  });
  return circuit;
}

/// Gives all processes the comment cards of all parts, and the first one what was found when reading them.
void share_cards(const Communicator& all, const Circuit& part, Circuit& circuit) {
  Writer writer;
  writer.put(part.title);
  writer.put(part.dbu_card);
  writer.put(part.skipped_cards);
  writer.put(part.layer_cards.size());
  for (const LayerCard& card : part.layer_cards) writer.put(card.number), writer.put(card.layer), writer.put(card.net);
  writer.put(part.nominal_cards.size());
  for (const NominalCard& card : part.nominal_cards) writer.put(card.net), writer.put(card.volts);
  writer.put(part.net_cards.size());
  for (const NetCard& card : part.net_cards) writer.put(card.net), writer.put(card.origin);
  for (const ReadFinding& f : part.findings)
    writer.put(f.is_warning), writer.put(f.code), writer.put(f.message), writer.put(f.place);
  for (const Communicator::Bytes& bytes : all.gather(writer.bytes())) {
    Reader reader(bytes);
    const std::string_view title = reader.text();
    if (const double dbu = reader.take<double>(); dbu > 0) circuit.dbu_card = dbu;
    const auto skipped = reader.take<std::int64_t>();
    for (auto n = reader.take<std::size_t>(); n > 0; --n) {
      const int number = reader.take<int>();
      const std::string layer(reader.text());
      circuit.layer_cards.push_back({number, layer, std::string(reader.text())});
    }
    for (auto n = reader.take<std::size_t>(); n > 0; --n) {
      const std::string net(reader.text());
      circuit.nominal_cards.push_back({net, reader.take<double>()});
    }
    for (auto n = reader.take<std::size_t>(); n > 0; --n) {
      const std::string net(reader.text());
      circuit.net_cards.push_back({net, reader.take<Origin>()});
    }
    if (all.rank() > 0) continue;
    if (!title.empty()) circuit.title = title;
    circuit.skipped_cards += skipped;
    while (!reader.is_done()) {
      const bool is_warning = reader.take<bool>();
      const std::string code(reader.text()), message(reader.text());
      circuit.findings.push_back({is_warning, code, message, std::string(reader.text())});
    }
  }
}

/// An element on its way to the owners of its ends.
struct Record {
  GlobalId a, b;
  double value;
  Origin origin;
};

class Dealer {
 public:
  Dealer(const Communicator& all, Circuit part)
      : all_(all), ranks_(static_cast<std::size_t>(all.count())), part_(std::move(part)) {}

  LocalCircuit deal() && {
    local_.circuit.files = part_.files;
    share_cards(all_, part_, local_.circuit);
    check_part();
    send_names_to_owners();
    move_tied_nodes();
    learn_ids();
    for (int k = 0; k < kKinds; ++k) send_elements(static_cast<Kind>(k));
    part_ = {};
    std::vector<GlobalId>().swap(id_);
    std::vector<std::int32_t>().swap(owner_);
    std::vector<GlobalId>().swap(final_);
    add_nodes_of_others();
    return std::move(local_);
  }

 private:
  /// Every element is judged once, by the process that has its text at hand.
  void check_part() {
    part_.title = local_.circuit.title;
    part_.findings = local_.circuit.findings;
    part_.skipped_cards = local_.circuit.skipped_cards;
    local_.findings = check_values(part_);
    together(all_, [&] { throw_first_error(local_.findings); });
  }

  /// Owners number the names in the order of the deck; their first mentions give the ids of a run of one process.
  void send_names_to_owners() {
    const Owners owners(all_, part_.nodes);
    std::vector<Texts> to(ranks_);
    owner_.resize(static_cast<std::size_t>(part_.nodes.size()));
    for (std::int32_t n = 1; n < part_.nodes.size(); ++n) {
      owner_[n] = owners.of(n);
      to[owner_[n]].push_back(part_.nodes[n]);
    }
    const SentNames sent = send_names(all_, to);
    std::vector<Texts>().swap(to);
    names_.intern("0");
    mentioned_.resize(ranks_);
    std::vector<std::vector<std::int64_t>> ids(ranks_);  // twice, plus one for a first mention
    sent.for_each([&](std::size_t p, std::string_view name) {
      const std::int32_t before = names_.size(), number = names_.intern(name);
      mentioned_[p].push_back(number);
      ids[p].push_back(std::int64_t{2} * number + (number == before ? 1 : 0));
    });
    ids = all_to_all(all_, std::move(ids));
    std::vector<std::size_t> next(ranks_, 0);
    id_.assign(owner_.size(), kGroundOfAll);
    std::vector<std::int32_t> first_mentioned;
    for (std::int32_t n = 1; n < part_.nodes.size(); ++n) {
      const std::int64_t answer = ids[owner_[n]][next[owner_[n]]++];
      id_[n] = global_id(owner_[n], static_cast<std::int32_t>(answer / 2));
      if (answer % 2 != 0) first_mentioned.push_back(n);
    }
    local_.first_of_part = {1};
    for (const auto count : gather(all_, std::vector<std::int64_t>{static_cast<std::int64_t>(first_mentioned.size())}))
      local_.first_of_part.push_back(local_.first_of_part.back() + count);
    local_.nodes_in_all = local_.first_of_part.back();
    std::vector<std::vector<std::int64_t>> serials(ranks_);
    std::int64_t serial = local_.first_of_part[static_cast<std::size_t>(all_.rank())];
    double styles[3] = {0, 0, 0};
    for (const std::int32_t n : first_mentioned) {
      serials[owner_[n]].push_back(serial++);
      NodeName name;
      name.style = owners.style(n);
      styles[0] += name.has_place();
      styles[1] += name.style == NodeName::Style::ibm;
      styles[2] += name.style == NodeName::Style::iccad;
    }
    all_.sum(styles);
    local_.placed = static_cast<std::int64_t>(styles[0]);
    local_.ibm = static_cast<std::int64_t>(styles[1]);
    local_.iccad = static_cast<std::int64_t>(styles[2]);
    local_.serial = {0};
    for (const auto& from : all_to_all(all_, std::move(serials)))
      local_.serial.insert(local_.serial.end(), from.begin(), from.end());
  }

  /// Calls take(a, b) for the ends of every element of this part that holds a potential difference.
  template <class Take>
  void for_each_tie(Take take) const {
    for (const Kind kind : {kResistor, kInductor, kVoltageSource}) {
      const Elements& e = part_.elements(kind);
      for (std::int64_t i = 0; i < e.size(); ++i)
        if ((kind != kResistor || e.value[i] == 0) && e.a[i] != e.b[i] && e.a[i] != kGround && e.b[i] != kGround)
          take(id_[e.a[i]], id_[e.b[i]]);
    }
  }

  /// What is tied together goes to the owner of the first of these nodes, so that each tie concerns one process only.
  void move_tied_nodes() {
    final_.resize(static_cast<std::size_t>(names_.size()));
    for (std::int32_t n = 0; n < names_.size(); ++n) final_[n] = global_id(all_.rank(), n);
    double crossing = 0;
    for_each_tie([&](GlobalId a, GlobalId b) { crossing += owner_of(a) != owner_of(b); });
    all_.sum({&crossing, 1});
    if (crossing > 0) {
      const std::unordered_map<GlobalId, GlobalId> first = first_of_tied_sets();
      move(first);
    }
    local_.own = names_.size() - 1;
  }

  struct Tie {
    GlobalId a, b;
  };

  /// Per own node that is the lowest of the nodes tied together here: the first node of all that it is tied to
  /// anywhere.
  std::unordered_map<GlobalId, GlobalId> first_of_tied_sets() {
    std::vector<std::vector<Tie>> to(ranks_);
    for_each_tie([&](GlobalId a, GlobalId b) { to[owner_of(a)].push_back({a, b}); });
    const auto ties = all_to_all(all_, std::move(to));
    tied_.emplace(names_.size());
    for (const auto& from : ties)
      for (const auto& [a, b] : from)
        if (owner_of(b) == all_.rank()) tied_->unite(number_of(a), number_of(b));
    const auto root = [&](GlobalId own) { return global_id(all_.rank(), tied_->find(number_of(own))); };
    to.assign(ranks_, {});
    for (const auto& from : ties)
      for (const auto& [a, b] : from)
        if (owner_of(b) != all_.rank()) to[owner_of(b)].push_back({root(a), b});
    std::vector<Tie> joined;
    for (const auto& from : all_to_all(all_, std::move(to)))
      for (const auto& [a, b] : from) joined.push_back({a, root(b)});
    const auto is_less = [](const Tie& t, const Tie& u) { return std::pair(t.a, t.b) < std::pair(u.a, u.b); };
    std::sort(joined.begin(), joined.end(), is_less);
    joined.erase(
        std::unique(joined.begin(), joined.end(), [](const Tie& t, const Tie& u) { return t.a == u.a && t.b == u.b; }),
        joined.end());
    std::unordered_map<GlobalId, GlobalId> above;
    const auto find = [&](GlobalId id) {
      for (auto up = above.find(id); up != above.end() && up->second != id; up = above.find(id)) id = up->second;
      return id;
    };
    for (const auto& [a, b] : gather(all_, joined)) {
      const GlobalId x = find(a), y = find(b);
      above[a] = above[b] = above[x] = above[y] = std::min(x, y);
    }
    std::unordered_map<GlobalId, GlobalId> first;
    for (const auto& [id, up] : above) first[id] = find(up);
    return first;
  }

  void move(const std::unordered_map<GlobalId, GlobalId>& first) {
    std::vector<Texts> to(ranks_);
    std::vector<std::vector<std::int64_t>> serials(ranks_);
    std::vector<std::vector<std::int32_t>> moved(ranks_);
    NameTable kept;
    kept.intern("0");
    std::vector<std::int64_t> kept_serial{0};
    for (std::int32_t n = 1; n < names_.size(); ++n) {
      const auto found = first.find(global_id(all_.rank(), tied_->find(n)));
      const int target = found == first.end() ? all_.rank() : owner_of(found->second);
      if (target == all_.rank()) {
        final_[n] = global_id(all_.rank(), kept.intern(names_[n]));
        kept_serial.push_back(local_.serial[n]);
      } else {
        to[target].push_back(names_[n]);
        serials[target].push_back(local_.serial[n]);
        moved[target].push_back(n);
      }
    }
    const SentNames sent = send_names(all_, to);
    std::vector<std::vector<std::int32_t>> numbers(ranks_);
    sent.for_each([&](std::size_t p, std::string_view name) { numbers[p].push_back(kept.intern(name)); });
    for (const auto& from : all_to_all(all_, std::move(serials)))
      kept_serial.insert(kept_serial.end(), from.begin(), from.end());
    numbers = all_to_all(all_, std::move(numbers));
    for (std::size_t p = 0; p < ranks_; ++p)
      for (std::size_t k = 0; k < moved[p].size(); ++k)
        final_[moved[p][k]] = global_id(static_cast<int>(p), numbers[p][k]);
    names_ = std::move(kept);
    local_.serial = std::move(kept_serial);
  }

  /// Where the nodes of this part are in the end.
  void learn_ids() {
    std::vector<std::vector<GlobalId>> ids(ranks_);
    for (std::size_t p = 0; p < ranks_; ++p)
      for (const std::int32_t number : mentioned_[p]) ids[p].push_back(final_[number]);
    std::vector<std::vector<std::int32_t>>().swap(mentioned_);
    ids = all_to_all(all_, std::move(ids));
    std::vector<std::size_t> next(ranks_, 0);
    for (std::int32_t n = 1; n < part_.nodes.size(); ++n) id_[n] = ids[owner_[n]][next[owner_[n]]++];
    part_.nodes = NameTable();
    local_.circuit.nodes = std::move(names_);
  }

  void send_elements(Kind kind) {
    Elements& e = part_.elements(kind);
    local_.elements_in_all[kind] = sum(all_, e.size());
    const auto for_each_owner = [&](auto take) {
      for (std::int64_t i = 0; i < e.size(); ++i) {
        const int a = e.a[i] == kGround ? -1 : owner_of(id_[e.a[i]]),
                  b = e.b[i] == kGround ? -1 : owner_of(id_[e.b[i]]);
        if (a >= 0 || b < 0) take(std::max(a, 0), i);
        if (b >= 0 && b != a) take(b, i);
      }
    };
    std::vector<std::size_t> count(ranks_, 0);
    for_each_owner([&](int owner, std::int64_t) { ++count[owner]; });
    std::vector<std::vector<Record>> to(ranks_);
    for (std::size_t p = 0; p < ranks_; ++p) to[p].reserve(count[p]);
    for_each_owner([&](int owner, std::int64_t i) {
      to[owner].push_back({id_[e.a[i]], id_[e.b[i]], e.value[i], e.origin[i]});
    });
    e = {};
    auto from = all_to_all(all_, std::move(to));
    std::size_t all = 0;
    for (const auto& some : from) all += some.size();
    std::vector<Record>& here = records_[kind];
    here.reserve(all);
    for (auto& some : from) {
      here.insert(here.end(), some.begin(), some.end());
      std::vector<Record>().swap(some);
    }
  }

  void add_nodes_of_others() {
    std::vector<GlobalId> others;
    for (const auto& records : records_)
      for (const Record& r : records)
        for (const GlobalId id : {r.a, r.b})
          if (id != kGroundOfAll && owner_of(id) != all_.rank()) others.push_back(id);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::vector<std::vector<NodeId>> wanted(ranks_);
    for (const GlobalId id : others) wanted[owner_of(id)].push_back(number_of(id));
    for (const auto& of_owner : wanted) local_.others.push_back(static_cast<std::int32_t>(of_owner.size()));
    local_.asked = all_to_all(all_, std::move(wanted));
    std::vector<Texts> names(ranks_);
    for (std::size_t p = 0; p < ranks_; ++p)
      for (const NodeId n : local_.asked[p]) names[p].push_back(local_.circuit.nodes[n]);
    send_names(all_, names).for_each([&](std::size_t, std::string_view name) { local_.circuit.nodes.intern(name); });

    const auto node_of = [&](GlobalId id) {
      if (id == kGroundOfAll) return kGround;
      if (owner_of(id) == all_.rank()) return number_of(id);
      return static_cast<NodeId>(local_.own + 1 +
                                 (std::lower_bound(others.begin(), others.end(), id) - others.begin()));
    };
    for (int k = 0; k < kKinds; ++k) {
      Elements& e = local_.circuit.elements(static_cast<Kind>(k));
      const std::size_t count = records_[k].size();
      e.a.reserve(count), e.b.reserve(count), e.value.reserve(count), e.origin.reserve(count);
      for (const Record& r : records_[k]) {
        e.a.push_back(node_of(r.a));
        e.b.push_back(node_of(r.b));
        e.value.push_back(r.value);
        e.origin.push_back(r.origin);
      }
      std::vector<Record>().swap(records_[k]);
    }
    for (Sources* sources : {&local_.circuit.voltage_sources, &local_.circuit.current_sources})
      sources->waveform.assign(sources->a.size(), -1);
  }

  const Communicator& all_;
  std::size_t ranks_;
  Circuit part_;
  LocalCircuit local_;
  std::vector<std::int32_t> owner_;                   ///< per node of the part: who numbers its name
  std::vector<GlobalId> id_;                          ///< per node of the part
  NameTable names_;                                   ///< those numbered here; they may move to another owner
  std::vector<std::vector<std::int32_t>> mentioned_;  ///< per process the numbers of its names
  std::vector<GlobalId> final_;                       ///< per number given here
  std::optional<DisjointSets> tied_;
  std::array<std::vector<Record>, kKinds> records_;
};

}  // namespace

LocalCircuit read_shared_netlist(const Communicator& all, const std::vector<std::string>& paths,
                                 const ReadOptions& options) {
  LocalCircuit local = Dealer(all, read_part(all, paths, options)).deal();
  std::int64_t elements = 0;
  for (const std::int64_t count : local.elements_in_all) elements += count;
  together(all, [&] {
    if (elements == 0)
      throw InputError(fmt::format("{}: no elements in this netlist; is it the right file?", paths.front()));
  });
  return local;
}

}  // namespace gridiron::distributed
