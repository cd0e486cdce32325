// SPDX-License-Identifier: Apache-2.0
#include "layout/tcl_words.hpp"

namespace gridiron::layout {

bool TclWords::next() {
  words_.clear();
  while (words_.empty() && at_ < text_.size()) {
    while (skip_blanks()) {
      if (words_.empty() && text_[at_] == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        break;
      }
      take_word();
    }
    if (at_ < text_.size()) ++at_;  // the end of the command
  }
  return !words_.empty();
}

/// To the next word of this command; false if it ends.
bool TclWords::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '\n' || text_[at_ + 1] == '\r')) {
      at_ += text_[at_ + 1] == '\r' && at_ + 2 < text_.size() && text_[at_ + 2] == '\n' ? 2 : 1;
      continue;
    }
    if (c == '\n' || c == ';') return false;
    if (c != ' ' && c != '\t' && c != '\r') return true;
  }
  return false;
}

void TclWords::take_word() {
  const char first = text_[at_], last = first == '{' ? '}' : first;
  if (first == '{' || first == '"') {
    const size_t begin = ++at_;
    int depth = 1;
    for (; at_ < text_.size(); ++at_) {
      if (first == '{' && text_[at_] == '{') ++depth;
      if (text_[at_] == last && --depth == 0) break;
    }
    words_.push_back({text_.substr(begin, at_ - begin), begin});
    if (at_ < text_.size()) ++at_;
    return;
  }
  const size_t begin = at_;
  while (at_ < text_.size() && std::string_view(" \t\r\n;").find(text_[at_]) == std::string_view::npos) ++at_;
  words_.push_back({text_.substr(begin, at_ - begin), begin});
}

}  // namespace gridiron::layout
