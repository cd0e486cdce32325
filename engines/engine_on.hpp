// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "engines/engine.hpp"

namespace gridiron {

/// An engine that works on device D, in a queue of its own: on the stream of its context, or on a new one. Every
/// operation runs with that queue current for the calling thread, so that engines in several threads work concurrently.
template <class D, class Base = Engine>
class EngineOn : public Base {
 private:
  void run(const char* verb, const std::function<void()>& work) final {
    if (!queue_) queue_.emplace(this->context().stream);
    const typename D::Scope scope(*queue_);
    const typename D::Range range(verb);
    work();
  }

  std::optional<typename D::Queue> queue_;
};

}  // namespace gridiron
