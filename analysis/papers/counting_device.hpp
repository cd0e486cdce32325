// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <unordered_set>

#include "device/checking_device.hpp"

namespace gridiron {

/// What kernels have done since reset(): distinct CountedFloats of device memory read and written, each counted once,
/// as if caches were perfect, and arithmetic operations of CountedFloat.
struct Traffic {
  std::unordered_set<const void*> read, written;
  int64_t flops = 0;

  static Traffic& current() {
    static Traffic traffic;
    return traffic;
  }
  void reset() { *this = {}; }
};

/// A float whose additions, multiplications and divisions are counted.
class CountedFloat {
 public:
  CountedFloat() = default;
  template <class N>
  requires std::is_arithmetic_v<N>
  constexpr CountedFloat(N value) : value_(static_cast<float>(value)) {}
  explicit operator double() const { return value_; }

  friend CountedFloat operator+(CountedFloat a, CountedFloat b) { return counted(a.value_ + b.value_); }
  friend CountedFloat operator-(CountedFloat a, CountedFloat b) { return counted(a.value_ - b.value_); }
  friend CountedFloat operator*(CountedFloat a, CountedFloat b) { return counted(a.value_ * b.value_); }
  friend CountedFloat operator/(CountedFloat a, CountedFloat b) { return counted(a.value_ / b.value_); }
  CountedFloat& operator+=(CountedFloat other) { return *this = *this + other; }
  friend bool operator==(CountedFloat a, CountedFloat b) { return a.value_ == b.value_; }

 private:
  static CountedFloat counted(float value) {
    ++Traffic::current().flops;
    return value;
  }
  float value_;
};

/// A device that counts what its kernels do (Traffic); for measuring on small problems, not for speed.
struct CountingDevice : CheckingDevice {
  static constexpr std::string_view name = "counting";

  /// An element of a view that kernels write to.
  template <class T>
  class Element {
   public:
    explicit Element(T& value, bool counts) : value_(value), counts_(counts) {}
    operator T() const {
      if (counts_) Traffic::current().read.insert(&value_);
      return value_;
    }
    const Element& operator=(T value) const {
      if (counts_) Traffic::current().written.insert(&value_);
      value_ = value;
      return *this;
    }
    const Element& operator+=(T value) const { return *this = static_cast<T>(*this) + value; }

   private:
    T& value_;
    bool counts_;
  };

  template <class T>
  class CountedView {
   public:
    CountedView() = default;
    CountedView(T* data, int64_t size) : view_(data, size) {}
    CountedView(const CheckedView<T>& scratch) : view_(scratch), counts_(false) {}  ///< shared memory of a tile
    template <class U>
    CountedView(const CountedView<U>& other) : view_(other.data(), other.size()), counts_(other.counts()) {}
    auto operator[](int64_t i) const {
      if constexpr (std::is_const_v<T>) {
        if (counts_ && std::is_same_v<T, const CountedFloat>) Traffic::current().read.insert(&view_[i]);
        return view_[i];
      } else {
        return Element<T>(view_[i], counts_ && std::is_same_v<T, CountedFloat>);
      }
    }
    T* data() const { return view_.data(); }
    int64_t size() const { return view_.size(); }
    bool counts() const { return counts_; }

   private:
    CheckedView<T> view_;
    bool counts_ = true;
  };
  template <class T>
  using View = CountedView<T>;
  template <class T>
  static View<T> view(T* data, int64_t size) {
    return {data, size};
  }
};

}  // namespace gridiron
