// SPDX-License-Identifier: Apache-2.0
#include "engines/cudss/cudss_engine.hpp"

#include <cstdint>
#include <utility>

#include "engines/cudss/factorization.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

class WithoutGpu final : public Engine {
 public:
  explicit WithoutGpu(CudssParams params) : params_(std::move(params)) {}

  void do_setup(const Problem&) override { throw ResourceError("engine cudss runs on a GPU only"); }
  SolveStats do_solve(Block<const double>, Block<double>, const StopRule&) override { return {}; }
  int64_t bytes() const override { return 0; }
  ParamList parameters() const override { return list_params(params_); }

 private:
  CudssParams params_;
};

}  // namespace

CudssParams read_cudss(const Settings& settings) {
  CudssParams params = read_params<CudssParams>("cudss", settings);
  require_choice("cudss", "ordering", params.ordering, {"auto", "geometric", "library"});
  require_choice("cudss", "memory", params.memory, {"auto", "device", "host"});
  return params;
}

std::optional<std::string> cudss_declines(const Problem& problem) {
  if (!problem.symmetric_positive_definite) return "needs a symmetric positive definite matrix";
  if (problem.matrix.nonzeros() > INT32_MAX) return "takes matrices of up to 2 147 483 647 nonzeros";
  if (cuda_state() == Cuda::not_built) return "runs on a GPU only, and this is a build without CUDA";
  if (cuda_state() == Cuda::no_device) return "runs on a GPU only, and no CUDA device was found";
  return cudss::why_missing();
}

std::unique_ptr<Engine> make_cudss(const Settings& settings) {
  return std::make_unique<WithoutGpu>(read_cudss(settings));
}

ParamList cudss_defaults() { return list_params(CudssParams{}); }

}  // namespace gridiron
