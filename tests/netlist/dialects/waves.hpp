// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "tests/netlist/dialects/values.hpp"

namespace gridiron::test {

/// What a source has behind its nodes.
class Waves {
 public:
  Waves(const Language& language, Random& random, Values& values, std::map<std::string, std::string>& files)
      : language_(language), random_(random), values_(values), files_(files) {}

  using Plainly = std::function<std::string(const Environment&, long double)>;  ///< of values and a factor

  /// A waveform and its plain spelling.
  std::pair<std::string, Plainly> make(double size, const std::vector<std::string>& units, Scope& scope) {
    switch (random_.integer(0, 4)) {
      case 0:
        return listed(
            "pulse",
            {{size, 'v'}, {2 * size, 'v'}, {1e-9, 't'}, {2e-9, 't'}, {2e-9, 't'}, {5e-9, 't'}, {20e-9, 't'}, {3, 'n'}},
            2, units, scope);
      case 1:
        return listed(language_.dialect == Dialect::ltspice && random_.chance(0.5) ? "sine" : "sin",
                      {{size, 'v'}, {size / 2, 'v'}, {1e6, 'f'}, {1e-9, 't'}, {1e3, 'n'}, {30, 'n'}}, 3, units, scope);
      case 2:
        return listed("exp", {{size, 'v'}, {2 * size, 'v'}, {1e-9, 't'}, {2e-9, 't'}, {9e-9, 't'}, {3e-9, 't'}}, 6,
                      units, scope);
      default:
        return pwl(size, units, scope);
    }
  }

 private:
  struct Argument {
    double size;
    char kind;  ///< 'v'alue, 't'ime, 'f'requency, 'n'umber
  };

  Spelled argument(const Argument& a, const std::vector<std::string>& units, Scope& scope) {
    if (a.kind == 'v') return values_.value(a.size, units, scope);
    const std::vector<std::string> of = a.kind == 't'   ? std::vector<std::string>{"", "s"}
                                        : a.kind == 'f' ? std::vector<std::string>{"", "hz"}
                                                        : std::vector<std::string>{""};
    return a.kind == 'n' ? values_.number(a.size, of) : values_.value(a.size, of, scope);
  }

  std::pair<std::string, Plainly> listed(const std::string& word, const std::vector<Argument>& arguments, int least,
                                         const std::vector<std::string>& units, Scope& scope) {
    const int count = random_.integer(least, static_cast<int>(arguments.size()));
    const bool with_commas = random_.chance(0.3), with_parentheses = random_.chance(0.8);
    std::string text = random_.any_case(word) + (with_parentheses ? random_.pick(gaps_) + "(" : " ");
    std::vector<std::pair<Spelled, char>> given;
    for (int i = 0; i < count; ++i) {
      given.emplace_back(argument(arguments[i], units, scope), arguments[i].kind);
      text += (i == 0 ? "" : with_commas ? "," + random_.pick(gaps_) : " ") + given.back().first.text;
    }
    if (with_parentheses) text += ")";
    const std::string plain_word = word == "sine" ? "sin" : word;
    return {text, [plain_word, given](const Environment& e, long double copies) {
              std::string plain = plain_word + "(";
              for (const auto& [v, kind] : given) plain += Plain::number(v.value(e) * (kind == 'v' ? copies : 1)) + " ";
              return plain + ")";
            }};
  }

  std::pair<std::string, Plainly> pwl(double size, const std::vector<std::string>& units, Scope& scope) {
    const int count = random_.integer(2, 6);
    const bool from_file = language_.dialect != Dialect::cdl && random_.chance(0.25);
    std::vector<std::pair<Spelled, Spelled>> points;
    for (int i = 0; i < count; ++i) {
      const double t = (i + 0.2) * 1e-9, v = size * random_.uniform(0.3, 2);
      if (from_file)
        points.emplace_back(values_.number(t, {"", "s"}), values_.number(v, {""}));
      else  // times are numbers, so that they ascend whatever the parameters are
        points.emplace_back(values_.number(t, {"", "s"}), values_.value(v, units, scope));
    }
    const std::string body = from_file ? file_of(points) : points_text(points);
    const bool repeats = random_.chance(0.4) && language_.dialect != Dialect::pspice;
    const bool is_late = random_.chance(0.3) && language_.dialect != Dialect::pspice;
    const size_t from = static_cast<size_t>(random_.integer(0, count - 2));
    const Spelled delay = values_.number(0.5e-9, {"", "s"});
    std::string options;
    if (repeats) options += (random_.chance(0.5) ? " r=" : " R = ") + points[from].first.text;
    if (is_late) options += (random_.chance(0.5) ? " td=" : " TD = ") + delay.text;
    const bool inside = random_.chance(0.3) && body.ends_with(")");
    const std::string text =
        random_.any_case("pwl") + (inside ? body.substr(0, body.size() - 1) + options + ")" : body + options);
    return {text, [=](const Environment& e, long double copies) {
              const long double later = is_late ? delay.value(e) : 0;
              std::string plain = "pwl(";
              for (const auto& [t, v] : points)
                plain += Plain::number(t.value(e) + later) + " " + Plain::number(v.value(e) * copies) + " ";
              plain += ")";
              if (repeats) plain += " r=" + Plain::number(points[from].first.value(e) + later);
              return plain;
            }};
  }

  std::string points_text(const std::vector<std::pair<Spelled, Spelled>>& points) {
    const int way = random_.integer(0, 3);
    std::string text = way == 0 ? " " : way == 3 ? " " : "(";
    for (size_t i = 0; i < points.size(); ++i) {
      const auto& [t, v] = points[i];
      const std::string gap = i == 0 ? "" : way == 2 ? ", " : " ";
      text += gap + (way == 3 ? "(" + t.text + "," + v.text + ")" : t.text + " " + v.text);
    }
    return text + (way == 1 || way == 2 ? ")" : "");
  }

  std::string file_of(const std::vector<std::pair<Spelled, Spelled>>& points) {
    const std::string name =
        fmt::format("Points_{}.{}", files_.size(), random_.pick(std::vector<std::string>{"csv", "txt"}));
    const std::string gap = random_.pick(std::vector<std::string>{",", " ", "\t", " , ", ";"});
    std::string& text = files_[name];
    if (random_.chance(0.3)) text += "* points\n";
    for (const auto& [t, v] : points) text += t.text + gap + v.text + (language_.is_windows ? "\r\n" : "\n");
    const std::string quote = random_.pick(std::vector<std::string>{"", "'", "\""});
    const std::string key =
        language_.dialect == Dialect::ltspice || language_.dialect == Dialect::pspice ? "file=" : "pwlfile=";
    return " " + key + quote + name + quote;
  }

  const std::vector<std::string> gaps_{"", " "};
  const Language& language_;
  Random& random_;
  Values& values_;
  std::map<std::string, std::string>& files_;
};

}  // namespace gridiron::test
