// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rules, in the order in which a netlist reader encounters them.

#include "netlist/grammar/ast_adapted.hpp"
#include "netlist/grammar/bare_value.hpp"
#include "netlist/grammar/card.hpp"
#include "netlist/grammar/primitives.hpp"
#include "netlist/grammar/source_settings.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron::grammar {

const auto name = word("a name");
const auto node = node_name();
const auto equals = x3::lit('=');

const auto assignment = x3::rule<struct assignment_tag, ast::Assignment>("name=value") = name >> equals > bare_value();

const auto numbers = x3::rule<struct numbers_tag, std::vector<ast::Value>>("numbers") = bare_value() % -x3::lit(',');
const auto setting = x3::rule<struct setting_tag, ast::Setting>("name=value") = name >> equals > numbers;

// r1 a b 1.5k | r1 a b R=1.5k TC=4m,1u M=2 | r1 a b rpoly L=20u W=1u | r1 a b bulk rpoly R=1.5k
struct value_unless_name : x3::parser<value_unless_name> {  // nothing where a model or a key begins
  using attribute_type = std::optional<ast::Value>;
  static constexpr bool has_attribute = true;
  static std::string what() { return value::what(); }
  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    if (first != last && begins_name(*first)) return true;
    ast::Value v;
    if (!value{}.parse(first, last, context, x3::unused, v)) return false;
    attribute = v;
    return true;
  }
};
struct model_name : x3::parser<model_name> {
  using attribute_type = ast::Text;
  static constexpr bool has_attribute = true;
  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type,
             Attribute& attribute) const {
    x3::skip_over(first, last, context);
    if (first == last || !begins_name(*first)) return false;
    Iterator next = first;
    ast::Text text;
    word("a model").parse(next, last, context, x3::unused, text);
    const Iterator end = next;
    x3::skip_over(next, last, context);
    if (next != last && *next == '=') return false;
    x3::traits::move_to(text, attribute);
    first = end;
    return true;
  }
};
const auto model_use = x3::rule<struct model_use_tag, ast::ModelUse>("a model") = model_name() >>
                                                                                  (model_name() |
                                                                                   x3::attr(ast::Text())) >>
                                                                                  -bare_value();
struct text_setting : terminal<text_setting, ast::Setting> {  // mfg="Murata" pn=GRM155 tol=1%
  static bool read(Iterator& at, Iterator last, ast::Setting& setting) {
    Iterator p = at;
    const auto skip = [&p, last] {
      while (p != last && is_blank(*p)) ++p;
    };
    if (!word::read(p, last, setting.key) || !is_text_key(setting.key)) return false;
    skip();
    if (p == last || *p++ != '=') return false;
    skip();
    ast::Text text;
    if (p != last && *p == '"') {
      do ++p;
      while (p != last && *p != '"' && *p != '\n');
      if (p == last || *p++ != '"') return false;
    } else if (!expression_text::read(p, last, text) && !word::read(p, last, text)) {
      return false;
    }
    at = p;
    return true;
  }
};
struct behind_nodes : x3::parser<behind_nodes> {  // from here on a '$' begins a comment, whatever nodes are called
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  template <class Context, class Attribute>
  bool parse(Iterator&, const Iterator&, const Context&, x3::unused_type, Attribute&) const {
    DollarNames::are_read = false;
    return true;
  }
};
const auto passive = x3::rule<struct passive_tag, ast::Passive>("element") = name > node > node > behind_nodes() >
                                                                             value_unless_name() > -model_use >
                                                                             *(text_setting() | setting) >
                                                                             end_of_card();

// v1 a b 1.8 | v1 a b AC 1 0 DC=1.8 | i1 a b 0 PULSE(0, 1m, 0, 1n 1n 5n 10n) M=2
const auto dc = -x3::omit[keyword("dc") >> -equals] >> bare_value();
struct source_key : terminal<source_key, ast::Text> {
  static bool read(Iterator& at, Iterator last, ast::Text& text) {
    Iterator p = at;
    const bool is_word = word::read(p, last, text);
    // `load` of LTspice is one behind a value only, as a parameter may have this name.
    if (!is_word || !(is_source_key(text) || same_name(text, "load"))) return false;
    at = p;
    return true;
  }
};
const auto source_setting = x3::rule<struct source_setting_tag, ast::Setting>("keyword") =
    source_key() >> -equals >>
    ((x3::lit('(') > *(bare_value() >> -x3::lit(',')) > x3::lit(')')) | *(bare_value() >> -x3::lit(',')));
const auto source = x3::rule<struct source_tag, ast::Source>("source") = name > node > node > behind_nodes() > -dc >
                                                                         source_settings(source_setting) >
                                                                         end_of_card();

// x1 a b inverter w=2
const auto params = keyword("params:");
const auto plain_word = (name - params) >> !equals;
const auto node_or_word = plain_word | quoted_word();
const auto parameters = x3::rule<struct parameters_tag, std::vector<ast::Assignment>>("parameters") =
    *(x3::omit[*params] >> assignment) >> x3::omit[*params];
const auto instance = x3::rule<struct instance_tag, ast::Instance>("instance") = name > +node_or_word > parameters >
                                                                                 end_of_card();

// .subckt inverter in out w=1
const auto directive = x3::omit[word("a directive")];
const auto subcircuit = x3::rule<struct subcircuit_tag, ast::Subcircuit>("subcircuit") = directive > name >
                                                                                         *node_or_word > parameters >
                                                                                         end_of_card();

// .model rpoly R (TC1=4m RSH=0.1); the parameters of models of other types are not read
const auto model_head = x3::rule<struct model_head_tag, ast::Model>(".model") =
    directive > name > name > x3::attr(std::vector<ast::Assignment>{});
const auto model_parameters = x3::rule<struct model_tag, std::vector<ast::Assignment>>(".model") =
    -x3::lit('(') >> *(assignment >> -x3::lit(',')) >> -x3::lit(')') > end_of_card();

// .temp 125 | .option post temp={t}
struct value_or_parameter : terminal<value_or_parameter, ast::Value> {
  static bool read(Iterator& at, Iterator last, ast::Value& v) {
    return value::read(at, last, v) || word::read(at, last, v.expression);
  }
};
const auto option = x3::rule<struct option_tag, ast::Assignment>("option") = name >> equals >> value_or_parameter();
const auto temperatures = x3::rule<struct temperatures_tag, std::vector<ast::Value>>("a number or {expression}") =
    +(value_or_parameter() >> -x3::lit(','));
const auto temp_card = x3::rule<struct temp_tag, std::vector<ast::Value>>(".temp") = directive > -equals >
                                                                                     temperatures > end_of_card();

const auto words_card = x3::rule<struct words_tag, std::vector<ast::Text>>("names") = directive > *name > end_of_card();

// .tran 10p 10n uic | .tran 10n startup
template <bool kIsBehindTwoTimes>
struct tran_word : terminal<tran_word<kIsBehindTwoTimes>, ast::Text> {
  static bool read(Iterator& at, Iterator last, ast::Text& text) {
    Iterator p = at;
    ast::Text found;
    if (!word::read(p, last, found) || !is_tran_word(found)) return false;
    if (!kIsBehindTwoTimes && same_name(found, "step")) return false;  // a parameter may have this name
    text = found;
    at = p;
    return true;
  }
};
const auto tran_times = x3::rule<struct tran_times_tag, std::vector<ast::Value>>("times") =
    x3::repeat(1, 2)[bare_value() - tran_word<false>()] >> *(bare_value() - tran_word<true>());
using TranText = std::pair<std::vector<ast::Value>, std::vector<ast::Text>>;
const auto tran_card = x3::rule<struct tran_tag, TranText>(".tran") = directive > tran_times > *tran_word<true>() >
                                                                      end_of_card();

// * layer: M5,VDD net: 1
const auto layer_comment = x3::rule<struct layer_tag, ast::LayerComment>("layer") = '*' >> keyword("layer:") >> name >>
                                                                                    ',' >> name >>
                                                                                    keyword("net:") >> x3::int_;
// * nominal: VDD 1.1
const auto nominal_comment = x3::rule<struct nominal_tag, ast::NominalComment>("nominal") = '*' >>
                                                                                            keyword("nominal:") >> name
                                                                                            >>
                                                                                            measure(Quantity::voltage);
// * dbu: 2000
const auto dbu_comment = x3::rule<struct dbu_tag, double>("dbu") = '*' >> keyword("dbu:") >> x3::double_
                                                                   >> x3::omit[*x3::char_(" \t\r")] >>
                                                                   &(x3::eol | x3::eoi);
// * Netlist for VSS on default
const auto net_comment = x3::rule<struct net_tag, ast::NetComment>("net") = '*' >> keyword("netlist") >>
                                                                            keyword("for") >> name >>
                                                                            keyword("on") >> name;

}  // namespace gridiron::grammar
