// SPDX-License-Identifier: Apache-2.0
// The commands as CLI11 sees them. It splits the command line and complains; values are read as declared.
#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/commands.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/help.hpp"
#include "app/session/option_name.hpp"
#include "support/error.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

constexpr const char* kNoOutput = "cannot write to standard output; free some space or write elsewhere";

/// The one place where exceptions become messages and exit codes.
int report_failure(const std::string& input, bool has_engines) {
  const auto say = [&](const std::string& message, ExitCode code) {
    // What is wrong with words or a file says where; what fails later may not.
    const bool is_told = input.empty() || code == ExitCode::invalid_input || message.starts_with("limit ") ||
                         message.find(input) != message.npos;
    complain(is_told ? message : input + ": " + message);
    return static_cast<int>(code);
  };
  try {
    throw;
  } catch (const Error& e) {
    return say(spelled(e.message(), option_name), e.code());
  } catch (const std::bad_alloc&) {
    return say(
        fmt::format("out of memory; use a machine with more{}", has_engines ? ", or an engine that needs less" : ""),
        ExitCode::out_of_resources);
  } catch (const std::system_error& e) {
    if (std::ferror(stdout)) return say(kNoOutput, ExitCode::out_of_resources);
    return say(fmt::format("the system refused: {}; free memory or disk space", e.what()), ExitCode::out_of_resources);
  } catch (const std::exception& e) {
    return say(fmt::format("internal error: {}; please report it with the netlist", e.what()),
               ExitCode::out_of_resources);
  }
}

/// The option of a command that a word is, or begins with as in --limit=5%.
const Argument* option_of(const ToolCommand& command, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  for (const Argument& argument : command.arguments)
    if (!argument.is_positional &&
        (option_name(argument.field) == name || (!argument.former.empty() && option_name(argument.former) == name)))
      return &argument;
  return nullptr;
}

/// What CLI11 would accept and read differently than meant: "--limit --quiet", the second word for the value of the
/// first, and "--strict=no" for --strict. Other words that begin with -- may be values, as may all after "=" and after
/// "--". Empty if there is nothing of the kind.
std::string misread_words(const ToolCommand& command, std::span<const std::string_view> words) {
  for (size_t k = 0; k < words.size() && words[k] != "--"; ++k) {
    if (command.passes_words_on && !words[k].starts_with('-')) break;
    const Argument* option = option_of(command, words[k]);
    if (!option) continue;
    const size_t equals = words[k].find('=');
    if (option->is_flag() && equals != words[k].npos)
      return fmt::format("{}: {} takes no value; leave it out unless it is wanted", words[k],
                         words[k].substr(0, equals));
    const bool takes_next = !option->is_flag() && equals == words[k].npos && k + 1 < words.size();
    if (takes_next && (words[k + 1] == "--help" || option_of(command, words[k + 1])))
      return fmt::format("{}: a value is missing before {}", words[k], words[k + 1]);
  }
  return "";
}

/// A command as a subcommand of CLI11.
class ParsedCommand {
 public:
  ParsedCommand(CLI::App& app, const ToolCommand& command)
      : command_(&command), parser_(app.add_subcommand(command.name, command.help)) {
    parser_->formatter_fn([&command](auto&&...) { return command_help(command, "gridiron ", option_name); });
    if (command.passes_words_on) parser_->prefix_command();
    for (const Argument& argument : command.arguments)
      options_.push_back(command.passes_words_on && argument.is_positional ? nullptr : add(argument));
    for (size_t k = 0; k < options_.size(); ++k)
      if (const Argument* other = command.find(command.arguments[k].excludes))
        options_[k]->excludes(options_[other - command.arguments.data()]);
  }

  bool is_asked_for() const { return parser_->parsed(); }
  const std::string& name() const { return command_->name; }
  bool has_engines() const { return command_->find("engine") != nullptr; }

  /// The netlist as typed; empty for commands that take none, or several.
  std::string input() const {
    for (size_t k = 0; k < options_.size(); ++k)
      if (options_[k] && command_->arguments[k].field == "netlist" && options_[k]->count() > 0)
        return options_[k]->results().front();
    return "";
  }

  int run() const {
    const std::shared_ptr<void> arguments = command_->make();
    if (command_->passes_words_on) pass_words_on(arguments.get());
    for (size_t k = 0; k < options_.size(); ++k)
      if (options_[k] && options_[k]->count() > 0) command_->arguments[k].take(arguments.get(), options_[k]->results());
    return command_->run(arguments.get());
  }

 private:
  /// Each positional argument takes one word, the last one the rest.
  void pass_words_on(void* arguments) const {
    std::vector<std::string> words = parser_->remaining();
    for (const Argument& argument : command_->arguments) {
      if (!argument.is_positional || words.empty()) continue;
      const auto end = argument.is_repeatable ? words.end() : words.begin() + 1;
      argument.take(arguments, {words.begin(), end});
      words.erase(words.begin(), end);
    }
  }

  CLI::Option* add(const Argument& argument) {
    const auto any = [](const CLI::results_t&) { return true; };
    std::string name = argument.is_positional ? argument.value : option_name(argument.field);
    if (!argument.former.empty()) name += "," + option_name(argument.former);
    CLI::Option* option = argument.is_flag() ? parser_->add_flag(name) : parser_->add_option(name, any, argument.help);
    if (argument.is_flag()) return option;
    option->type_name(argument.value);
    option->check([&argument](const std::string& text) { return argument.fault(text); });
    if (argument.is_repeatable)
      option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(argument.is_positional);
    if (argument.splits_values()) option->delimiter(argument.separator);
    return option->required(argument.is_required);
  }

  const ToolCommand* command_;
  CLI::App* parser_;
  std::vector<CLI::Option*> options_;
};

/// "gridiron ir --help" in the middle of an `ir` command line.
std::string help_for(const std::vector<ParsedCommand>& parsed) {
  for (const ParsedCommand& command : parsed)
    if (command.is_asked_for()) return fmt::format("gridiron {} --help", command.name());
  return "gridiron --help";
}

/// "--limit: 1 required LIMIT missing" in our words; LIMIT is the type that add() names.
std::string explained(const CLI::ParseError& error) {
  constexpr std::string_view kMissing = ": 1 required ", kEnd = " missing";
  std::string text = error.what();
  const size_t at = text.find(kMissing);
  if (error.get_name() != "ArgumentMismatch" || at == text.npos || !text.ends_with(kEnd)) return text;
  const size_t value = at + kMissing.size();
  return fmt::format("{}: a value is missing: {}", text.substr(0, at),
                     text.substr(value, text.size() - kEnd.size() - value));
}

/// The option that a word was meant to be which the command does not have.
std::string nearest_option(const CLI::ParseError& error, const ToolCommand* command,
                           std::span<const std::string_view> words) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError) || !command) return "";
  std::vector<std::string> names;
  for (const Argument& argument : command->arguments)
    if (!argument.is_positional) names.push_back(option_name(argument.field));
  for (const std::string_view word : words)
    if (word.starts_with("--") && !option_of(*command, word))
      return did_you_mean(word.substr(0, word.find('=')), names);
  return "";
}

std::string input_of(const std::vector<ParsedCommand>& parsed) {
  for (const ParsedCommand& command : parsed)
    if (command.is_asked_for()) return command.input();
  return "";
}

bool can_change_engine(const std::vector<ParsedCommand>& parsed) {
  return std::ranges::any_of(parsed,
                             [](const auto& command) { return command.is_asked_for() && command.has_engines(); });
}

int run_parsed(const std::vector<ParsedCommand>& parsed) {
  int exit_code = 0;
  for (const ParsedCommand& command : parsed)
    if (command.is_asked_for()) exit_code = command.run();
  return exit_code;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app;
  app.name("gridiron");
  app.set_version_flag("--version", std::string("gridiron ") + GRIDIRON_VERSION);
  app.require_subcommand(1);
  app.formatter_fn([](auto&&...) { return tool_help(commands()); });
  std::vector<ParsedCommand> parsed;
  for (const ToolCommand& command : commands()) parsed.emplace_back(app, command);

  const ToolCommand* const command = argc > 1 ? find_command(argv[1]) : nullptr;
  const std::vector<std::string_view> words(argv + std::min(argc, 2), argv + argc);
  if (argc > 1 && argv[1][0] != '-') {
    const std::string misread = command ? misread_words(*command, words) : "";
    if (!command) complain(unknown_command(argv[1]));
    if (!misread.empty()) complain(fmt::format("{}; see 'gridiron {} --help'", misread, command->name));
    if (!command || !misread.empty()) return static_cast<int>(ExitCode::invalid_input);
  }
  int exit_code = 0;
  try {
    app.parse(argc, argv);
    exit_code = run_parsed(parsed);
  } catch (const CLI::Success& e) {
    exit_code = app.exit(e);
  } catch (const CLI::ParseError& e) {
    const std::string text = explained(e) + nearest_option(e, command, words);
    complain(fmt::format("{}{} '{}'", text, text.ends_with('?') ? " See" : "; see", help_for(parsed)));
    return static_cast<int>(ExitCode::invalid_input);
  } catch (...) {
    return report_failure(input_of(parsed), can_change_engine(parsed));
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    complain(kNoOutput);
    return static_cast<int>(ExitCode::out_of_resources);
  }
  return exit_code;
}

}  // namespace gridiron
