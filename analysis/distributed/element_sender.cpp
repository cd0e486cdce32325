// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/element_sender.hpp"

#include <algorithm>
#include <cstdint>

namespace gridiron::distributed {

CardPlaces::CardPlaces(const Circuit& part) {
  uint64_t bytes = 0;
  for (const auto& file : part.files) {
    begin_of_file_.push_back(bytes);
    bytes += file->text().size();
  }
}

ElementSender::ElementSender(const Circuit& part, const NodeMentions& mentions, const Owners& owners,
                             const CardPlaces& place_of)
    : part_(part), mentions_(mentions), owners_(owners), place_of_(place_of) {
  for (int32_t t = 0; t < mentions.texts().size(); ++t) owner_of_text_.push_back(owners.of(mentions.texts()[t]));
}

ElementMessages ElementSender::next(size_t processes, int64_t cards) {
  constexpr uint64_t kNone = UINT64_MAX;
  ElementMessages to{std::vector<std::vector<ElementRecord>>(processes), std::vector<Writer>(processes)};
  while (cards > 0) {
    uint64_t nearest = kNone, next = kNone;
    int kind = 0;
    for (int k = 0; k < kKinds; ++k) {
      const Elements& e = part_.elements(static_cast<Kind>(k));
      const uint64_t place = written_[k] < e.size() ? place_of_(e.origin[written_[k]]) : kNone;
      next = std::min(next, std::max(nearest, place));
      if (place < nearest) nearest = place, kind = k;
    }
    if (nearest == kNone) break;
    const Elements& e = part_.elements(static_cast<Kind>(kind));
    int64_t& i = written_[kind];
    for (; i < e.size() && cards > 0 && place_of_(e.origin[i]) < next; ++i, --cards) write(kind, e, i, to);
  }
  return to;
}

void ElementSender::write(int kind, const Elements& e, int64_t i, ElementMessages& to) {
  const NameKey a = mentions_[e.a[i]], b = mentions_[e.b[i]];
  const int owner_a = owner(a), owner_b = owner(b);
  const auto put = [&](int p) {
    to.records[p].push_back({a, b, e.value[i], e.origin[i].file, static_cast<uint64_t>(kind), owner_a == p,
                             owner_b == p, e.origin[i].offset});
    for (const NameKey key : {a, b})
      if (name_key::is_text(key) && key != name_key::kGround)
        to.texts[p].put(mentions_.texts()[name_key::text_of(key)]);
  };
  if (owner_a >= 0 || owner_b < 0) put(std::max(owner_a, 0));
  if (owner_b >= 0 && owner_b != owner_a) put(owner_b);
}

int ElementSender::owner(NameKey key) {
  if (key == name_key::kGround) return -1;
  if (name_key::is_text(key)) return owner_of_text_[name_key::text_of(key)];
  if (key != last_key_) {
    last_key_ = key;
    last_owner_ = owners_.of(key);
  }
  return last_owner_;
}

}  // namespace gridiron::distributed
