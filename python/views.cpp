// SPDX-License-Identifier: Apache-2.0
#include "python/views.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {

using namespace pybind11::literals;
namespace {

py::object numpy(const char* function) { return py::module_::import("numpy").attr(function); }

}  // namespace

py::object as_fp64(py::handle given, const char* name) {
  try {
    const py::object array = numpy("asarray")(given);
    if (py::str(array.attr("dtype").attr("kind")).equal(py::str("c")))
      throw input_error("{} expected real numbers, not complex ones", field(name));
    return numpy("asarray")(array, "dtype"_a = "float64", "order"_a = "F");
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError) && !e.matches(PyExc_TypeError)) throw;
    throw input_error("{} expected an array of numbers", field(name));
  }
}

void bind_views(py::module_& module) {
  py::class_<OwnedBuffer>(module, "_OwnedBuffer", py::buffer_protocol()).def_buffer([](OwnedBuffer& b) {
    return py::buffer_info(b.data, b.item_size, b.format, static_cast<py::ssize_t>(b.shape.size()), b.shape, b.strides,
                           b.is_readonly);
  });
}

py::object array_of(OwnedBuffer buffer) {
  static double nothing = 0;
  if (!buffer.data) buffer.data = &nothing;  // numpy takes no null
  return numpy("asarray")(py::cast(std::move(buffer)));
}

py::object view(py::handle owner, Block<double> block) {
  const py::ssize_t rows = block.rows, columns = block.columns, size = sizeof(double);
  return array_of({py::reinterpret_borrow<py::object>(owner),
                   block.data,
                   py::format_descriptor<double>::format(),
                   size,
                   {rows, columns},
                   {size, size * rows},
                   false});
}

GivenBlock::GivenBlock(py::handle array, const char* name)
    : buffer_(py::reinterpret_borrow<py::buffer>(as_fp64(array, name)).request()) {
  if (buffer_.ndim != 1 && buffer_.ndim != 2)
    throw input_error("{} expected an array n or n x k, not one of {} dimensions", field(name), buffer_.ndim);
}

Block<const double> GivenBlock::block() const {
  return {static_cast<const double*>(buffer_.ptr), buffer_.shape[0], is_vector() ? 1 : buffer_.shape[1]};
}

NewBlock::NewBlock(int64_t rows, int64_t columns, bool is_vector)
    : array(is_vector ? numpy("zeros")(rows) : numpy("zeros")(py::make_tuple(rows, columns), "order"_a = "F")),
      block{static_cast<double*>(py::reinterpret_borrow<py::buffer>(array).request(true).ptr), rows, columns} {}

}  // namespace gridiron::python
