// SPDX-License-Identifier: Apache-2.0
// Engine hypre in a build without the library: it has its parameters, and declines every problem.
#include "engines/communicator.hpp"
#include "engines/hypre/hypre_engine.hpp"

namespace gridiron {
namespace {

constexpr const char* kMissing = "this is a build without hypre; build where libhypre-dev and MPI are installed";

class NoHypre : public Engine {
 public:
  explicit NoHypre(HypreParams params) : params_(std::move(params)) {}
  int64_t bytes() const override { return 0; }
  ParamList parameters() const override { return list_params(params_); }

 private:
  void do_setup(const Problem&) override { throw InputError(std::string("engine hypre: ") + kMissing); }
  SolveStats do_solve(Block<const double>, Block<double>, const StopRule&) override { return {}; }

  HypreParams params_;
};

}  // namespace

std::optional<std::string> hypre_declines(const Problem&) { return kMissing; }
std::unique_ptr<Engine> make_hypre(const Settings& settings) {
  return std::make_unique<NoHypre>(read_params<HypreParams>("hypre", settings));
}
std::unique_ptr<Engine> make_shared_hypre(const Settings& settings, std::shared_ptr<const Shares>) {
  return make_hypre(settings);
}
ParamList hypre_defaults() { return list_params(HypreParams{}); }

std::unique_ptr<Communicator> join_mpirun() { return nullptr; }
int processes_of_mpirun() { return 1; }

}  // namespace gridiron
