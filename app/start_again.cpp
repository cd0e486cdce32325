// SPDX-License-Identifier: Apache-2.0
// Re-executes the tool with environment variables that libraries read before main, and earlier than they do: OpenBLAS
// starts a thread per core when it is loaded, and waits for ever where their memory is denied (`ulimit -v`). Functions
// in .preinit_array run before the constructors of any shared library. None of these is ready then, so that nothing
// here relies on more than the system call; nor are sanitizers. The library cannot do this for its host program; it
// has threads wait shortly by other means (support/short_waits.hpp).
#include <unistd.h>

#include <cstddef>
#include <iterator>

namespace {

/// By default OpenMP threads spin while waiting, which makes short parallel loops several times slower on a busy
/// machine; not spinning at all costs more than the kernels of small grids. No thread of OpenBLAS is needed.
struct Variable {
  const char* text;
  bool overrides;  ///< what the user set
};
constexpr Variable kVariables[] = {
    {"OPENBLAS_NUM_THREADS=1", true}, {"OMP_WAIT_POLICY=passive", false}, {"GOMP_SPINCOUNT=1000", false}};
constexpr size_t kMostVariables = 4096;

#define GRIDIRON_BEFORE_LIBRARIES __attribute__((no_sanitize("address", "undefined"), noinline))

/// Whether both are of the same variable; `equal` also compares the values.
GRIDIRON_BEFORE_LIBRARIES bool same_name(const char* a, const char* b, bool& equal) {
  while (*a && *a == *b && *a != '=') ++a, ++b;
  const bool same = *a == '=' && *b == '=';
  while (*a && *a == *b) ++a, ++b;
  equal = same && *a == *b;
  return same;
}

GRIDIRON_BEFORE_LIBRARIES void start_again(int, char** argv, char** environment) {
  static char* changed[kMostVariables + std::size(kVariables) + 1];
  bool is_set[std::size(kVariables)] = {}, is_new = false;
  size_t count = 0;
  for (; environment[count]; ++count) {
    if (count == kMostVariables) return;
    changed[count] = environment[count];
    for (size_t k = 0; k < std::size(kVariables); ++k) {
      bool is_equal = false;
      if (!same_name(kVariables[k].text, environment[count], is_equal)) continue;
      is_set[k] = true;
      if (is_equal || !kVariables[k].overrides) continue;
      changed[count] = const_cast<char*>(kVariables[k].text);
      is_new = true;
    }
  }
  for (size_t k = 0; k < std::size(kVariables); ++k) {
    if (is_set[k]) continue;
    changed[count++] = const_cast<char*>(kVariables[k].text);
    is_new = true;
  }
  changed[count] = nullptr;
  if (is_new) ::execve("/proc/self/exe", argv, changed);  // returns only on failure; then continue with the defaults
}

__attribute__((section(".preinit_array"), used)) void (*const kStartAgain)(int, char**, char**) = start_again;

}  // namespace
