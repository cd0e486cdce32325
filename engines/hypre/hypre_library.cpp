// SPDX-License-Identifier: Apache-2.0
#include "engines/hypre/hypre_library.hpp"

#include <dlfcn.h>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "support/error_text.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace gridiron::hypre {
namespace {

/// Settings of Open MPI in the environment, for as long as this lives.
class OpenMpiSettings {
 public:
  OpenMpiSettings() {
    for (auto& [name, value, is_ours] : settings_) {
      is_ours = !std::getenv(name);
      if (is_ours) ::setenv(name, value, 0);
    }
  }
  ~OpenMpiSettings() {
    for (const auto& [name, value, is_ours] : settings_)
      if (is_ours) ::unsetenv(name);
  }
  OpenMpiSettings(const OpenMpiSettings&) = delete;
  OpenMpiSettings& operator=(const OpenMpiSettings&) = delete;

 private:
  struct Setting {
    const char *name, *value;
    bool is_ours = false;
  };
  std::array<Setting, 5> settings_{{{"OMPI_MCA_ess_singleton_isolated", "1"},    // no daemon
                                    {"OMPI_MCA_orte_create_session_dirs", "0"},  // no files
                                    {"OMPI_MCA_opal_signal", ""},                // no signal handlers
                                    {"OMPI_MCA_btl", "self"},                    // no network
                                    {"OMPI_MCA_pml", "ob1"}}};
};

bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

#ifdef OPEN_MPI
/// Open MPI's handles are addresses of objects, which a program linked with it may hold a copy of: the one to be used.
template <class Handle>
Handle handle(const char* object) {
  return static_cast<Handle>(dlsym(RTLD_DEFAULT, object));
}
#define GRIDIRON_HANDLE(type, name, object) handle<type>(#object)
#else
#define GRIDIRON_HANDLE(type, name, object) name
#endif

constexpr const char* kNoMemory = "hypre: the hierarchy does not fit into memory; take more of it, or another engine";
bool is_broken = false;

}  // namespace

Library::Library() {
  void* library = dlopen(GRIDIRON_HYPRE_NAME, RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen(GRIDIRON_HYPRE_PATH, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw resource_error("needs the library {}, which is not installed here", GRIDIRON_HYPRE_NAME);
  const auto find = [&]<class F>(F& function, const char* symbol) {
    function = reinterpret_cast<F>(dlsym(library, symbol));
    if (!function) throw resource_error("{} has no function {}", GRIDIRON_HYPRE_NAME, symbol);
  };
#define GRIDIRON_FIND(name) find(name, "HYPRE_" #name);
  GRIDIRON_HYPRE_FUNCTIONS(GRIDIRON_FIND)
#undef GRIDIRON_FIND
#define GRIDIRON_FIND(name) find(mpi_##name, "MPI_" #name);
  GRIDIRON_MPI_FUNCTIONS(GRIDIRON_FIND)
#undef GRIDIRON_FIND
  // Modules that MPI loads itself refer to its symbols.
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(mpi_Init_thread), &info))
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  self = GRIDIRON_HANDLE(MPI_Comm, MPI_COMM_SELF, ompi_mpi_comm_self);
  world = GRIDIRON_HANDLE(MPI_Comm, MPI_COMM_WORLD, ompi_mpi_comm_world);
  byte = GRIDIRON_HANDLE(MPI_Datatype, MPI_BYTE, ompi_mpi_byte);
  real = GRIDIRON_HANDLE(MPI_Datatype, MPI_DOUBLE, ompi_mpi_double);
  plus = GRIDIRON_HANDLE(MPI_Op, MPI_SUM, ompi_mpi_op_sum);
  largest = GRIDIRON_HANDLE(MPI_Op, MPI_MAX, ompi_mpi_op_max);
}

const Library& Library::loaded() {
  static const Library library;
  return library;
}

std::optional<std::string> Library::missing() {
  try {
    loaded();
    return std::nullopt;
  } catch (const ResourceError& error) {
    return error.what();
  }
}

std::recursive_mutex& Library::mutex() {
  static std::recursive_mutex one_at_a_time;
  return one_at_a_time;
}

const Library& Library::started() {
  static const Library& library = []() -> const Library& {
    loaded().start();
    return loaded();
  }();
  return library;
}

void Library::start() const {
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler mpi_leaks;
#endif
  int is_started = 0, provided = 0;
  mpi_Initialized(&is_started);
  if (!is_started) {
    std::optional<OpenMpiSettings> alone;
    if (!started_by_mpirun()) alone.emplace();
    if (mpi_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
      throw ResourceError("hypre: MPI does not start");
    std::atexit([] {
      const std::unique_lock idle(mutex(), std::try_to_lock);  // not below a solve in another thread
      if (!idle || !loaded().runs()) return;
      loaded().Finalize();
      loaded().mpi_Finalize();
    });
  }
  Init();
}

bool Library::runs() const {
  int is_finished = 0;
  mpi_Finalized(&is_finished);
  return !is_finished && !is_broken;
}

void Library::fail() const {
  const HYPRE_Int error = GetError();
  std::array<char, 4096> text{};
  DescribeError(error, text.data());
  ClearAllErrors();
  std::string line(text.data());
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
  if (error & HYPRE_ERROR_MEMORY) throw ResourceError(kNoMemory);
  throw solver_error("hypre reports {}; is the matrix singular, not positive definite, or not finite?", line);
}

[[noreturn]] void Library::break_off() {
  is_broken = true;
  throw ResourceError(kNoMemory);
}

}  // namespace gridiron::hypre

/// What hypre calls where an allocation fails, if the program exports it as the tool does: the dynamic linker then
/// finds it before MPI's own, which would end all processes with the exit code 255.
int MPI_Abort(MPI_Comm, int) { gridiron::hypre::Library::break_off(); }
