// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gridiron::layout {

struct TclWord {
  std::string_view text;  ///< without braces or quotation marks around it
  size_t offset;
};

/// The words of simple commands of Tcl, as files of settings have them: no substitution is carried out. A command ends
/// with its line, or at a semicolon; a backslash at the end of a line continues it.
class TclWords {
 public:
  explicit TclWords(std::string_view text) : text_(text) {}

  /// Goes to the next command that is no comment; false at the end.
  bool next();
  /// Of this command, at least one.
  const std::vector<TclWord>& words() const { return words_; }

 private:
  bool skip_blanks();
  void take_word();

  std::string_view text_;
  size_t at_ = 0;
  std::vector<TclWord> words_;
};

}  // namespace gridiron::layout
