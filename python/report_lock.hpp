// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>
#include <shared_mutex>

namespace gridiron::python {

/// Shared by those who read reports without the GIL. Nobody waits for it with the GIL in hand.
inline std::shared_mutex report_lock;

/// Changes a report, while no thread reads it with the GIL or without.
void change_report(auto&& change) {
  std::unique_lock lock(report_lock, std::defer_lock);
  {
    const pybind11::gil_scoped_release others_may_end;
    lock.lock();
  }
  change();
}

}  // namespace gridiron::python
