// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/owners.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "support/lists.hpp"

namespace gridiron::distributed {
namespace {

/// Bit b becomes bit 2 b.
uint64_t spread(uint64_t x) {
  x = (x | x << 16) & 0x0000ffff0000ffffu;
  x = (x | x << 8) & 0x00ff00ff00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x << 2) & 0x3333333333333333u;
  return (x | x << 1) & 0x5555555555555555u;
}

uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

}  // namespace

NameStems share_stems(const Communicator& all, NodeMentions& mentions) {
  Writer writer;
  writer.put(mentions.has_too_many_stems());
  for (const std::string& stem : mentions.stems().names()) writer.put(stem);
  NameStems stems;
  bool are_too_many = false;
  for (const Communicator::Bytes& bytes : all.gather(writer.bytes())) {
    Reader reader(bytes);
    are_too_many |= reader.take<bool>();
    while (!reader.is_done()) stems.add(reader.text());
  }
  if (are_too_many || stems.has_too_many()) {
    mentions.spell_all();
    return {};
  }
  mentions.renumber_stems(stems);
  return stems;
}

Owners::Owners(const Communicator& all, const NodeMentions& mentions, const NameStems& stems)
    : stems_(stems), processes_(static_cast<uint64_t>(all.count())) {
  std::vector<NodeName> texts;
  for (int32_t t = 0; t < mentions.texts().size(); ++t) texts.push_back(parse_node_name(mentions.texts()[t]));
  find_bounds(all, mentions, texts);

  // A name is in the sample, wherever it is mentioned, if the low bits of its hash are 0.
  constexpr double kNamesPerProcess = 16384;
  const double wanted = kNamesPerProcess * all.count();
  const auto of_all = sum(all, static_cast<double>(mentions.size()));
  const uint64_t each = std::bit_floor(static_cast<uint64_t>(std::max(1.0, of_all / wanted / 2)));
  struct Name {
    uint64_t at, hash;
    auto operator<=>(const Name&) const = default;
  };
  std::vector<Name> sample;
  for (const NameKey key : mentions.keys())
    if (!name_key::is_text(key))
      if (const uint64_t hash = mixed(stems.as_looked_up(key)); (hash & (each - 1)) == 0)
        sample.push_back({along_curve(name_key::x_of(key), name_key::y_of(key)), hash});
  for (size_t t = 0; t < texts.size(); ++t)
    if (texts[t].has_place())
      if (const uint64_t hash = mixed(NameTable::hash(mentions.texts()[static_cast<int32_t>(t)]));
          (hash & (each - 1)) == 0)
        sample.push_back({along_curve(texts[t].x, texts[t].y), hash});
  sort_unique(sample);
  sample = gather(all, sample);
  sort_unique(sample);
  names_of_each_ = static_cast<double>(sample.size() * each) / all.count();
  for (size_t p = 1; p < processes_ && !sample.empty(); ++p)
    first_.push_back(sample[p * sample.size() / processes_].at);
}

void Owners::find_bounds(const Communicator& all, const NodeMentions& mentions, const std::vector<NodeName>& texts) {
  double bounds[4];
  std::fill_n(bounds, 4, -INFINITY);
  const auto add = [&bounds](int64_t at_x, int64_t at_y) {
    const double x = at_x, y = at_y;
    for (const auto& [k, value] : {std::pair(0, -x), {1, -y}, {2, x}, {3, y}}) bounds[k] = std::max(bounds[k], value);
  };
  for (const NameKey key : mentions.keys())
    if (!name_key::is_text(key)) add(name_key::x_of(key), name_key::y_of(key));
  for (const NodeName& name : texts)
    if (name.has_place()) add(name.x, name.y);
  all.largest(bounds);
  if (bounds[2] + bounds[0] < 0) return;  // there are no places
  const double range = std::max(bounds[2] + bounds[0], bounds[3] + bounds[1]);
  while (std::ldexp(range, -shift_) >= 4294967295.0) ++shift_;
  least_x_ = static_cast<uint64_t>(static_cast<int64_t>(-bounds[0]));
  least_y_ = static_cast<uint64_t>(static_cast<int64_t>(-bounds[1]));
}

uint64_t Owners::along_curve(int64_t x, int64_t y) const {
  const auto cell = [this](int64_t at, uint64_t least) {
    return (static_cast<uint64_t>(at) - least) >> shift_ & 0xffffffffu;
  };
  return spread(cell(x, least_x_)) | spread(cell(y, least_y_)) << 1;
}

int Owners::at(int64_t x, int64_t y) const {
  return static_cast<int>(std::ranges::upper_bound(first_, along_curve(x, y)) - first_.begin());
}

int Owners::of(NameKey key) const {
  if (!moved_.empty())
    if (const auto found = moved_.find(stems_.as_looked_up(key)); found != moved_.end()) return found->second;
  return at(name_key::x_of(key), name_key::y_of(key));
}

int Owners::of(std::string_view text) const {
  if (moved_texts_.size() > 0)
    if (const int32_t found = moved_texts_.find(text); found >= 0) return owner_of_moved_[found];
  if (const NodeName name = parse_node_name(text); name.has_place()) return at(name.x, name.y);
  // A table of names at the owner uses the same hash.
  const uint64_t hash = NameTable::hash(text) * 0x9e3779b97f4a7c15u;
  return static_cast<int>((hash >> 32) * processes_ >> 32);
}

void Owners::move(std::string_view text, int owner) {
  moved_texts_.intern(text);
  owner_of_moved_.push_back(owner);
}

}  // namespace gridiron::distributed
