// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace gridiron::python {

namespace py = pybind11;

// Arrays travel by Python's buffer protocol, so that the module depends on no version of numpy's binary interface.

/// Memory of an owner, as the buffer protocol shows it.
struct OwnedBuffer {
  py::object owner;
  void* data;
  std::string format;
  py::ssize_t item_size;
  std::vector<py::ssize_t> shape, strides;  ///< strides in bytes
  bool is_readonly;
};
void bind_views(py::module_& module);

/// A numpy array of this memory, which it keeps alive. Nothing is copied.
py::object array_of(OwnedBuffer buffer);

/// A read-only array of values that `owner` holds: the first one, and others so many bytes apart.
template <class T>
py::object strided_view(py::handle owner, const T* first, size_t count, size_t stride) {
  return array_of({py::reinterpret_borrow<py::object>(owner),
                   const_cast<T*>(first),
                   py::format_descriptor<T>::format(),
                   sizeof(T),
                   {static_cast<py::ssize_t>(count)},
                   {static_cast<py::ssize_t>(stride)},
                   true});
}
template <class T>
py::object view(py::handle owner, std::span<const T> values) {
  return strided_view(owner, values.data(), values.size(), sizeof(T));
}
template <class T>
py::object view(py::handle owner, const std::vector<T>& values) {
  return view(owner, std::span<const T>(values));
}

/// A getter of the column that `of` is the member of.
template <class T, class Column>
auto column(Column T::*of) {
  return [of](const py::object& self) { return view(self, self.cast<const T&>().*of); };
}

/// An array, rows × columns, column after column, that can be written to.
py::object view(py::handle owner, Block<double> block);

/// What Python gave as an array of float64, column after column; itself if it is one. `name`: of the argument. Errors:
/// InputError unless it holds real numbers.
py::object as_fp64(py::handle given, const char* name);

/// Numbers that Python gave, n or n × k, as a block of fp64; copied only if they are of another type or order.
class GivenBlock {
 public:
  /// `name`: of the argument. Errors: InputError unless it has one or two dimensions.
  GivenBlock(py::handle array, const char* name);
  Block<const double> block() const;
  bool is_vector() const { return buffer_.ndim == 1; }

 private:
  py::buffer_info buffer_;
};

/// A new array, zeros, column after column, and where its numbers are. A vector has one dimension.
struct NewBlock {
  py::object array;
  Block<double> block;
  NewBlock(int64_t rows, int64_t columns, bool is_vector);
};

}  // namespace gridiron::python
