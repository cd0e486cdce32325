// SPDX-License-Identifier: Apache-2.0
#include "netlist/names/node_mentions.hpp"

namespace gridiron {

using name_key::is_text, name_key::stem_of, name_key::text_of;

NodeMentions::NodeMentions() : keys_{name_key::kGround} { texts_.intern("0"); }

NameKey NodeMentions::key_of(std::string_view name) {
  if (const auto key = stems_.key_of(name)) return *key;
  return name_key::of_text(texts_.intern(name));
}

bool NodeMentions::is_same(NameKey a, NameKey b) const {
  return a == b || (!is_text(a) && !is_text(b) && stems_.as_looked_up(a) == stems_.as_looked_up(b));
}

int32_t NodeMentions::add(std::string_view name, int32_t other) {
  const auto newest = static_cast<int32_t>(keys_.size()) - 1;
  if (name == last_name_) return newest;
  if (name == "0") return 0;
  const NameKey key = key_of(name);
  if (is_same(key, keys_[other])) return other;
  last_name_ = name;
  keys_.push_back(key);
  return newest + 1;
}

std::string NodeMentions::name(int32_t mention) const {
  const NameKey key = keys_[mention];
  if (is_text(key)) return std::string(texts_[text_of(key)]);
  char room[NameStems::kLongestName];
  return {room, stems_.spell(key, room)};
}

std::vector<NameKey> NodeMentions::keys_of(std::string_view name) const {
  std::vector<NameKey> keys = stems_.keys_of(name);
  if (const int32_t text = texts_.find(name); text >= 0) keys.push_back(name_key::of_text(text));
  return keys;
}

int32_t NodeMentions::append(NodeMentions later) {
  std::vector<size_t> stems;
  for (const std::string& stem : later.stems_.names()) stems.push_back(stems_.add(stem));
  std::vector<NameKey> texts;
  for (int32_t t = 0; t < later.texts_.size(); ++t) texts.push_back(name_key::of_text(texts_.intern(later.texts_[t])));
  has_too_many_stems_ |= later.has_too_many_stems();
  const auto shift = static_cast<int32_t>(keys_.size()) - 1;
  for (size_t k = 1; k < later.keys_.size(); ++k) {
    const NameKey key = later.keys_[k];
    if (is_text(key))
      keys_.push_back(texts[text_of(key)]);
    else if (const size_t stem = stems[stem_of(key)]; stem != name_key::kText)
      keys_.push_back(name_key::with_stem(key, stem));
    else
      keys_.push_back(name_key::of_text(texts_.intern(later.name(static_cast<int32_t>(k)))));
  }
  last_name_ = {};
  return shift;
}

void NodeMentions::renumber_stems(const NameStems& stems) {
  std::vector<size_t> number;
  bool is_same = true;
  for (const std::string& stem : stems_.names()) {
    is_same = is_same && stems.number_of(stem) == number.size();
    number.push_back(stems.number_of(stem));
  }
  stems_ = stems;
  if (is_same) return;
  for (NameKey& key : keys_)
    if (!is_text(key)) key = name_key::with_stem(key, number[stem_of(key)]);
}

void NodeMentions::spell_all() {
  for (size_t k = 1; k < keys_.size(); ++k)
    if (!is_text(keys_[k])) keys_[k] = name_key::of_text(texts_.intern(name(static_cast<int32_t>(k))));
}

}  // namespace gridiron
