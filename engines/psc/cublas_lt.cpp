// SPDX-License-Identifier: Apache-2.0
#include "engines/psc/cublas_lt.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "support/error_text.hpp"

namespace gridiron::psc {
namespace {

CublasLt load() {
  const std::string name = fmt::format("libcublasLt.so.{}", CUBLAS_VER_MAJOR);
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen(GRIDIRON_CUBLASLT, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw resource_error("psc: {} of the CUDA toolkit was not found; install it or take {} cpu", name, field("device"));
  const auto find = [&]<class F>(F& function, const char* symbol) {
    function = reinterpret_cast<F>(dlsym(library, symbol));
    if (!function) throw resource_error("psc: {} has no function {}", name, symbol);
  };
  CublasLt lt;
  find(lt.create, "cublasLtCreate");
  find(lt.destroy, "cublasLtDestroy");
  find(lt.status_string, "cublasLtGetStatusString");
  find(lt.matmul, "cublasLtMatmul");
  find(lt.operation_create, "cublasLtMatmulDescCreate");
  find(lt.operation_destroy, "cublasLtMatmulDescDestroy");
  find(lt.operation_set, "cublasLtMatmulDescSetAttribute");
  find(lt.layout_create, "cublasLtMatrixLayoutCreate");
  find(lt.layout_destroy, "cublasLtMatrixLayoutDestroy");
  find(lt.layout_set, "cublasLtMatrixLayoutSetAttribute");
  find(lt.preference_create, "cublasLtMatmulPreferenceCreate");
  find(lt.preference_destroy, "cublasLtMatmulPreferenceDestroy");
  find(lt.preference_set, "cublasLtMatmulPreferenceSetAttribute");
  find(lt.find_algorithm, "cublasLtMatmulAlgoGetHeuristic");
  return lt;
}

}  // namespace

const CublasLt& CublasLt::loaded() {
  static const CublasLt library = load();
  return library;
}

void CublasLt::check(cublasStatus_t status, std::source_location where) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw resource_error("cuBLAS: {} ({}:{})", status_string(status), where.file_name(), where.line());
}

}  // namespace gridiron::psc
