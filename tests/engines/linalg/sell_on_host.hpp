// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device/cpu_device.hpp"
#include "linalg/sell.hpp"

namespace gridiron::test {

/// A pattern of any device, copied to the host.
struct HostPattern {
  std::vector<int32_t> begin, tail, col;
  std::vector<int64_t> tail_begin;
  int64_t rows;

  SellPatternView<CpuDevice> view() const {
    SellPatternView<CpuDevice> v;
    v.rows = rows;
    v.begin = {begin.data(), static_cast<int64_t>(begin.size())};
    v.tail = {tail.data(), static_cast<int64_t>(tail.size())};
    v.tail_begin = {tail_begin.data(), static_cast<int64_t>(tail_begin.size())};
    v.col = {col.data(), static_cast<int64_t>(col.size())};
    return v;
  }
};

template <class D>
HostPattern host_pattern(const SellPattern<D>& p) {
  return {p.begin.to_host(), p.tail.to_host(), p.col.to_host(), p.tail_begin.to_host(), p.rows};
}

}  // namespace gridiron::test
