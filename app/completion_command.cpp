// SPDX-License-Identifier: Apache-2.0
// Completion scripts for shells, made from the declarations. They hold all words themselves: completing starts no
// program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/commands.hpp"
#include "app/session/option_name.hpp"
#include "support/error.hpp"
#include "support/lists.hpp"

namespace gridiron {
namespace {

struct CompletionArguments {
  std::string shell;
};

const std::vector<std::string>& words_of(const Argument& argument) {
  return argument.choices.empty() ? argument.suggestions : argument.choices;
}

std::vector<std::string> shown_names() {
  std::vector<std::string> names;
  for (const ToolCommand& command : commands())
    if (!command.is_internal) names.push_back(command.name);
  return names;
}

// ---- bash

constexpr const char* kBashHead = R"(# bash completion of gridiron {version}, made by 'gridiron completion bash'
_gridiron() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words= list= path=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{commands} --help --version' -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}}:$before in
)";

constexpr const char* kBashTail = R"(  esac
  if [[ -n $list && $word == *,* ]]; then
    COMPREPLY=($(compgen -P "${word%,*}," -W "$words" -- "${word##*,}"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  [[ $path == file ]] && compopt -o default 2>/dev/null
  [[ $path == folder ]] && compopt -o dirnames 2>/dev/null
  return 0
}
complete -F _gridiron gridiron
)";

std::string bash_case(const std::string& pattern, const std::vector<std::string>& words, const Argument& argument) {
  std::string line = fmt::format("    {}) words='{}'", pattern, fmt::join(words, " "));
  if (argument.separator != 0) line += " list=yes";
  if (argument.path == Argument::Path::file) line += " path=file";
  if (argument.path == Argument::Path::folder) line += " path=folder";
  return line + " ;;\n";
}

std::string bash_completion() {
  std::string out = fmt::format(fmt::runtime(kBashHead), fmt::arg("version", GRIDIRON_VERSION),
                                fmt::arg("commands", fmt::join(shown_names(), " ")));
  for (const ToolCommand& command : commands()) {
    if (command.is_internal) continue;
    std::vector<std::string> options = {"--help"};
    const Argument* word = nullptr;  // the first one: what follows a script is its own
    for (const Argument& argument : command.arguments) {
      if (argument.is_positional) {
        if (!word) word = &argument;
        continue;
      }
      options.push_back(option_name(argument.field));
      if (!argument.is_flag()) out += bash_case(command.name + ":" + options.back(), words_of(argument), argument);
    }
    const Argument none;
    const std::vector<std::string>& words = words_of(word ? *word : none);
    append(options, words);
    out += bash_case(command.name + ":*", options, word ? *word : none);
  }
  return out + kBashTail;
}

// ---- zsh

/// Within an option specification of _arguments that is itself between single quotes.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\' || c == '(' || c == ')')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_values(const Argument& argument) {
  const std::vector<std::string>& words = words_of(argument);
  if (!words.empty() && argument.separator != 0) return fmt::format("_sequence compadd - {}", fmt::join(words, " "));
  if (!words.empty() && words.front().ends_with('=')) return fmt::format("compadd -S \"\" - {}", fmt::join(words, " "));
  if (!words.empty()) return fmt::format("({})", fmt::join(words, " "));
  if (argument.path == Argument::Path::file) return "_files";
  if (argument.path == Argument::Path::folder) return "_files -/";
  return " ";
}

std::string zsh_argument(const Argument& argument) {
  const std::string help = zsh_text(argument.help);
  const std::string value = zsh_text(argument.value);
  if (argument.is_positional)
    return fmt::format("'{}:{}:{}'", argument.is_repeatable ? "*" : "", value, zsh_values(argument));
  const std::string name = option_name(argument.field);
  const char* again = argument.is_repeatable && argument.separator == 0 ? "*" : "";
  if (argument.is_flag()) return fmt::format("'{}{}[{}]'", again, name, help);
  return fmt::format("'{}{}[{}]:{}:{}'", again, name, help, value, zsh_values(argument));
}

std::string zsh_completion() {
  std::string names, cases;
  for (const ToolCommand& command : commands()) {
    if (command.is_internal) continue;
    names += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.help));
    cases += fmt::format("    {}) _arguments '--help[help of this command]'", command.name);
    for (const Argument& argument : command.arguments) cases += " \\\n      " + zsh_argument(argument);
    cases += " ;;\n";
  }
  return fmt::format(
      "#compdef gridiron\n# zsh completion of gridiron {}, made by 'gridiron completion zsh'\n_gridiron() {{\n"
      "  local curcontext=$curcontext state line\n  local -a names=(\n{}  )\n"
      "  _arguments -C '--help[help]' '--version[the version]' '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n    command) _describe command names; return ;;\n    argument) ;;\n    *) return ;;\n  esac\n"
      "  case $words[1] in\n{}  esac\n}}\n_gridiron \"$@\"\n",
      GRIDIRON_VERSION, names, cases);
}

int run_completion(const CompletionArguments& arguments) {
  fmt::print("{}", arguments.shell == "bash" ? bash_completion() : zsh_completion());
  return static_cast<int>(ExitCode::done);
}

}  // namespace

ToolCommand completion_command() {
  Declaration<CompletionArguments> completion(
      {.name = "completion",
       .help = "completion of commands and options for a shell, as a script",
       .description =
           "An installed Gridiron has both: bash finds its own; zsh does where PREFIX/share/zsh/site-functions "
           "is in fpath, as it is for /usr/local.",
       .example = "eval \"$(gridiron completion bash)\""});
  completion.add(&CompletionArguments::shell, {.field = "shell",
                                               .value = "SHELL",
                                               .help = "the shell",
                                               .choices = {"bash", "zsh"},
                                               .is_positional = true,
                                               .is_required = true});
  return std::move(completion).run_by(run_completion);
}

}  // namespace gridiron
