// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/tran/steps/device_steps.hpp"
#include "analysis/tran/steps/node_currents.hpp"
#include "analysis/tran/storage.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// The nodes of all steps, which ties merge alike whatever the size, or which are all apart, and what flows into them.
struct StepNodes {
  StepNodes(Merge of_steps, const Sources& loads, const Storage& storage);

  Merge merge;
  NodeCurrents currents;
  std::vector<int32_t> group_a, group_b;  ///< merged nodes of the storage

  /// The same for devices.
  StepTables tables(const Sources& loads, const Storage& storage, int64_t scenarios) const;
};

}  // namespace gridiron
