// SPDX-License-Identifier: Apache-2.0
#include "app/tcl/line_editor.hpp"

#include <editline/readline.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "app/tcl/tcl_completion.hpp"

namespace gridiron {
namespace {

// libedit asks for completions through functions without context.
Tcl_Interp* the_interp = nullptr;
TclCompletion the_completion;

char* next_word(const char*, int state) {
  static std::size_t next = 0;
  if (state == 0) next = 0;
  return next < the_completion.words.size() ? strdup(the_completion.words[next++].c_str()) : nullptr;
}

char** complete(const char* text, int, int end) {
  the_completion = complete_tcl(the_interp, std::string_view(rl_line_buffer, static_cast<std::size_t>(end)));
  rl_attempted_completion_over = the_completion.files ? 0 : 1;
  return the_completion.words.empty() ? nullptr : rl_completion_matches(text, next_word);
}

/// Empty without a home.
std::string history_file() {
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.gridiron_history" : "";
}

/// A command of several lines, such as a loop, is one entry.
std::string on_one_line(std::string command) {
  std::ranges::replace(command, '\n', ' ');
  return command;
}

}  // namespace

LineEditor::LineEditor(Tcl_Interp* interp) {
  the_interp = interp;
  static char name[] = "gridiron", breaks[] = " \t\n\"{}[];$";
  rl_readline_name = name;
  rl_initialize();
  rl_completer_word_break_characters = breaks;
  rl_attempted_completion_function = complete;
  using_history();
  stifle_history(1000);
  if (const std::string file = history_file(); !file.empty()) read_history(file.c_str());
}

LineEditor::Input LineEditor::read(const char* prompt, std::string& line) {
  errno = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(readline(prompt), std::free);
  if (!text) return errno == EINTR ? Input::interrupted : Input::end;
  line = text.get();
  return Input::line;
}

void LineEditor::remember(const std::string& command) {
  if (command.empty()) return;
  add_history(on_one_line(command).c_str());
  if (const std::string file = history_file(); !file.empty()) write_history(file.c_str());
}

}  // namespace gridiron
