// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "support/context.hpp"

namespace gridiron::python {

namespace py = pybind11;

/// Does `work` in a thread of its own while the calling one, without the GIL, waits and looks for signals: Ctrl-C (or
/// whatever a signal handler raises) requests a stop and is raised when the work has ended. The threads of OpenMP
/// belong to that thread and end with it, so that a process may fork between two calls.
void run(std::stop_source stop, const std::function<void()>& work);

/// The result of `work`.
auto result_of(auto&& work) {
  std::optional<decltype(work())> result;
  run({}, [&] { result.emplace(work()); });
  return std::move(*result);
}

/// Calls of a Python function from any thread; copies share the function. What it raises goes through the library.
template <class... Arguments>
std::function<void(Arguments...)> callback(py::object function) {
  const std::shared_ptr<py::object> shared(new py::object(std::move(function)), [](py::object* f) {
    const py::gil_scoped_acquire gil;
    delete f;
  });
  return [shared](Arguments... arguments) {
    const py::gil_scoped_acquire gil;
    (*shared)(std::forward<Arguments>(arguments)...);
  };
}

/// An argument `threads`, 0 for all, as a Context takes it. Errors: InputError unless it is from 0 to kMostThreads.
int threads_given(int threads);

/// Errors: InputError, always.
[[noreturn]] void throw_busy(const char* what);

/// One call at a time of an object that is no longer protected by the GIL while it works. Errors: InputError when
/// another thread, or a callback, calls it meanwhile.
class OneCall {
 public:
  OneCall(bool& is_busy, const char* what) : is_busy_(is_busy) {
    if (is_busy) throw_busy(what);
    is_busy = true;
  }
  ~OneCall() { is_busy_ = false; }
  OneCall(const OneCall&) = delete;
  OneCall& operator=(const OneCall&) = delete;

 private:
  bool& is_busy_;
};

}  // namespace gridiron::python
