// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace gridiron {

/// Makes an array n long whose entries are still to be written, by threads that each fill a range: what it held may be
/// lost. The standard library has this for strings only (resize_and_overwrite), so that the end is set in libstdc++'s
/// own words; elsewhere one thread writes all entries first.
template <class T>
void resize_untouched(std::vector<T>& array, size_t n) {
  static_assert(std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(!std::is_same_v<T, bool>);
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG) && !defined(_GLIBCXX_SANITIZE_VECTOR)
  struct Opened : std::vector<T> {
    static auto parts() { return &Opened::_M_impl; }
  };
  if (n > array.capacity()) array = std::vector<T>();
  array.reserve(n);
  using Base = std::_Vector_base<T, std::allocator<T>>;
  auto& parts = ((Base&)array).*Opened::parts();  // only such a cast reaches a base that is not public
  parts._M_finish = parts._M_start + n;
#else
  array.resize(n);
#endif
}

/// Makes an array longer: what it held stays where it is or goes to copy(from, to), and what is behind that is still to
/// be written.
template <class T>
void grow_untouched(std::vector<T>& array, size_t n, auto&& copy) {
  if (n <= array.capacity()) return resize_untouched(array, n);
  std::vector<T> grown;
  resize_untouched(grown, n);
  copy(array, grown);
  array.swap(grown);
}

}  // namespace gridiron
