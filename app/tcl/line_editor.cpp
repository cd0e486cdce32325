// SPDX-License-Identifier: Apache-2.0
#include "app/tcl/line_editor.hpp"

#include <editline/readline.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <memory>
#include <string_view>

#include "app/tcl/interrupts.hpp"
#include "app/tcl/tcl_completion.hpp"

namespace gridiron {
namespace {

// libedit asks for completions through functions without context.
Tcl_Interp* the_interp = nullptr;
TclCompletion the_completion;
bool was_interrupted = false;

/// The next character, or EOF at the end or when Ctrl-C is pressed, at whatever moment. By itself libedit misses a
/// press between its prompt and its read().
int read_key(FILE* in) {
  const int keyboard = fileno(in);
  mbstate_t state = {};
  for (;;) {
    pollfd ends[] = {{keyboard, POLLIN, 0}, {interrupt_descriptor(), POLLIN, 0}};
    if (poll(ends, 2, -1) < 0) continue;
    if (ends[1].revents != 0) {
      was_interrupted = true;
      return EOF;
    }
    char byte = 0;
    if (::read(keyboard, &byte, 1) != 1) return EOF;
    wchar_t key = 0;
    const size_t length = std::mbrtowc(&key, &byte, 1, &state);
    if (length <= 1) return static_cast<int>(key);
    if (length == static_cast<size_t>(-1)) state = {};
  }
}

char* next_word(const char*, int state) {
  static size_t next = 0;
  if (state == 0) next = 0;
  return next < the_completion.words.size() ? strdup(the_completion.words[next++].c_str()) : nullptr;
}

char** complete(const char* text, int, int end) {
  the_completion = complete_tcl(the_interp, std::string_view(rl_line_buffer, end));
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
  rl_getc_function = read_key;
  rl_initialize();
  rl_completer_word_break_characters = breaks;
  rl_attempted_completion_function = complete;
  using_history();
  stifle_history(1000);
  if (const std::string file = history_file(); !file.empty()) read_history(file.c_str());
}

LineEditor::Input LineEditor::read(const char* prompt, std::string& line) {
  forget_interrupts();
  was_interrupted = false;
  const std::unique_ptr<char, decltype(&std::free)> text(readline(prompt), std::free);
  if (!text) return was_interrupted ? Input::interrupted : Input::end;
  line = text.get();
  return Input::line;
}

void LineEditor::remember(const std::string& command) {
  if (command.empty()) return;
  add_history(on_one_line(command).c_str());
  if (const std::string file = history_file(); !file.empty()) write_history(file.c_str());
}

}  // namespace gridiron
