// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/model/system.hpp"
#include "app/session/analysis_options.hpp"
#include "python/bindings.hpp"
#include "python/fields.hpp"
#include "python/run.hpp"
#include "python/views.hpp"
#include "support/error_text.hpp"

namespace gridiron::python {
namespace {

using ProblemPtr = std::shared_ptr<const Problem>;

/// An engine for any problem; calls release the GIL and can be stopped.
class AnyEngine {
 public:
  AnyEngine(std::string name, std::string device, const std::optional<py::dict>& settings, int threads)
      : name_(std::move(name)), settings_(settings ? settings_of(*settings, name_) : Settings{}) {
    context_.device = std::move(device);
    context_.threads = threads_given(threads);
    if (name_ != "auto") find_engine(name_).make(settings_);
  }

  void setup(const ProblemPtr& problem) {
    const OneCall one(is_busy_, "engine");
    run({}, [&] {
      const EngineInfo& info = choose_engine(name_, *problem, {context_.device});
      device_ = choose_device(info, context_.device);
      engine_ = make_engine(info, context_, settings_);
      info_ = &info;
      engine_->setup(problem);
    });
  }

  void update(const ProblemPtr& problem) {
    if (!engine_) return setup(problem);
    const OneCall one(is_busy_, "engine");
    if (const auto declined = info_->declines(*problem)) throw input_error("{}: {}", info_->name, *declined);
    run({}, [&] { engine_->update(problem); });
  }

  py::object solve(const py::object& b, const py::object& x0, double rtol, double max_residual, int max_iterations) {
    const OneCall one(is_busy_, "engine");
    if (!engine_) throw InputError("this engine has no matrix yet; call setup() first");
    if (!(rtol >= 0 && rtol <= 1)) throw field_error("rtol", "{}: expected a number from 0 to 1", rtol);
    if (!(max_residual >= 0)) throw field_error("max_residual", "{}: expected at least 0", max_residual);
    if (max_iterations < 1) throw field_error("max_iterations", "{}: expected at least 1", max_iterations);
    const GivenBlock given(b, "b");
    const Block<const double> right = given.block();
    NewBlock x(right.rows, right.columns, given.is_vector());
    if (!x0.is_none()) {
      const GivenBlock guess(x0, "x0");
      if (guess.block().rows != right.rows || guess.block().columns != right.columns)
        throw field_error("x0", "must have the shape of b");
      std::copy_n(guess.block().data, right.rows * right.columns, x.block.data);
    }
    std::stop_source stop;
    Context context = context_;
    context.stop = stop.get_token();
    engine_->set_context(context);
    run(stop, [&] { stats_ = engine_->solve(right, x.block, {rtol, max_residual, max_iterations}); });
    return x.array;
  }

  py::object stats() const { return shown_fields(stats_.columns); }

  py::object description() const {
    if (is_busy_) throw_busy("engine");
    if (!engine_) throw InputError("this engine has no matrix yet; call setup() first");
    return shown_fields(describe(*info_, *engine_, device_, context_.device));
  }

 private:
  std::string name_;
  Settings settings_;
  Context context_;
  const EngineInfo* info_ = nullptr;
  std::string_view device_;
  std::unique_ptr<Engine> engine_;
  SolveStats stats_;
  bool is_busy_ = false;
};

template <class T>
std::vector<T> copied(const py::buffer& array) {
  const py::buffer_info info = array.request();
  const T* const data = static_cast<const T*>(info.ptr);
  return {data, data + info.size};
}

/// Of the arrays of a scipy.sparse matrix in CSR form, with sorted columns, int64, int32 and float64.
ProblemPtr problem_of(const py::buffer& row_ptr, const py::buffer& col, const py::buffer& value,
                      bool symmetric_positive_definite) {
  Problem problem;
  problem.symmetric_positive_definite = symmetric_positive_definite;
  CsrMatrix& a = problem.matrix;
  a.row_ptr = copied<int64_t>(row_ptr);
  a.col = copied<int32_t>(col);
  a.value = copied<double>(value);
  a.rows = std::ssize(a.row_ptr) - 1;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (!std::isfinite(a.value[k])) throw field_error("matrix", "entry ({}, {}) is not finite", i, a.col[k]);
  return std::make_shared<const Problem>(std::move(problem));
}

py::list parameters(const ParamList& list) {
  py::list rows;
  for (const Param& p : list) {
    py::dict row;
    row["name"] = p.name;
    row["value"] = p.value;
    row["unit"] = p.unit;
    row["meaning"] = p.meaning;
    rows.append(row);
  }
  return rows;
}

py::list list_engines() {
  py::list rows;
  for (const EngineInfo& info : engines()) {
    py::dict row;
    row["name"] = info.name;
    row["about"] = info.about;
    row["devices"] = py::str(py::cast(info.devices)).attr("split")(",");
    row["parameters"] = parameters(info.defaults());
    rows.append(row);
  }
  return rows;
}

}  // namespace

Settings settings_of(const py::dict& given, const std::string& engine) {
  Settings settings;
  for (const auto& [key, value] : given) {
    std::string text = py::str(value);
    if (py::isinstance<py::bool_>(value)) text = value.cast<bool>() ? "true" : "false";
    const std::string name = py::str(key);
    add_setting(settings, name, setting_of(engine, name), text);
  }
  return settings;
}

py::object shown_value(const IrReport&, const ParamList& parameters) {
  py::dict values;
  for (const Param& p : parameters) values[py::str(p.name)] = p.value;
  return values;
}

void bind_engine(py::module_& module) {
  module.def("engines", list_engines,
             "The engines of this build: [{'name', 'about', 'devices', 'parameters': [{'name', 'value', 'unit', "
             "'meaning'}]}].");
  module.def("_problem", problem_of);
  py::class_<AnyEngine>(module, "_Engine")
      .def(py::init<std::string, std::string, const std::optional<py::dict>&, int>())
      .def("setup", &AnyEngine::setup)
      .def("setup", [](AnyEngine& engine, const System& system) { engine.setup(system.problem()); })
      .def("update", &AnyEngine::update)
      .def("update", [](AnyEngine& engine, const System& system) { engine.update(system.problem()); })
      .def("solve", &AnyEngine::solve)
      .def("stats", &AnyEngine::stats)
      .def("description", &AnyEngine::description);
}

}  // namespace gridiron::python
