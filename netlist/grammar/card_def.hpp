// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rules, in the order in which a netlist reader encounters them.

#include "netlist/grammar/ast_adapted.hpp"
#include "netlist/grammar/primitives.hpp"

namespace gridiron::grammar {

const auto name = word("a name");
const auto node = word("a node name");
const auto equals = x3::lit('=');

const auto assignment = x3::rule<struct assignment_tag, ast::Assignment>("name=value") = name >> equals > value();

// Parameters without effect at DC and nominal temperature; all others are rejected rather than ignored.
const auto harmless_key =
    keyword("tc") | keyword("tc1") | keyword("tc2") | keyword("ic") | keyword("temp") | keyword("dtemp");
const auto harmless = x3::omit[&x3::char_("tTiIdD") >> harmless_key >> equals > (value() % ',')];

// r1 a b 1.5k | r1 a b R=1.5k
const auto value_key = x3::char_("rRcClL");
const auto passive = x3::rule<struct passive_tag, ast::Passive>("element") = name > node > node >
                                                                             -x3::omit[value_key >> equals] >
                                                                             value() > x3::omit[*harmless] >
                                                                             end_of_card();

// v1 a b 1.8 | v1 a b DC=1.8 AC 1 0 | i1 a b 0 PULSE(0, 1m, 0, 1n 1n 5n 10n)
const auto dc = -x3::omit[keyword("dc") >> -equals] >> value();
const auto ac = keyword("ac") >> -equals >> x3::repeat(0, 2)[value()];
const auto shape = (keyword("pulse") >> x3::attr(ast::Shape::pulse)) | (keyword("pwl") >> x3::attr(ast::Shape::pwl)) |
                   (keyword("sin") >> x3::attr(ast::Shape::sin)) | (keyword("exp") >> x3::attr(ast::Shape::exp)) |
                   x3::attr(ast::Shape::none);
const auto arguments = x3::rule<struct arguments_tag, std::vector<ast::Value>>("arguments") = -x3::lit('(') >>
                                                                                              *(value() >>
                                                                                                -x3::lit(',')) >>
                                                                                              -x3::lit(')');
const auto source = x3::rule<struct source_tag, ast::Source>("source") = name > node > node > -dc > x3::omit[-ac] >
                                                                         shape > arguments > x3::omit[-ac] >
                                                                         end_of_card();

// x1 a b inverter w=2
const auto params = keyword("params:");
const auto plain_word = (name - params) >> !equals;
const auto parameters = x3::rule<struct parameters_tag, std::vector<ast::Assignment>>("parameters") =
    x3::omit[-params] >> *assignment;
const auto instance = x3::rule<struct instance_tag, ast::Instance>("instance") = name > +plain_word > parameters >
                                                                                 end_of_card();

// .subckt inverter in out w=1
const auto directive = x3::omit[word("a directive")];
const auto subcircuit = x3::rule<struct subcircuit_tag, ast::Subcircuit>("subcircuit") = directive > name >
                                                                                         *plain_word > parameters >
                                                                                         end_of_card();

// .param a=1 b={2*a} c=a+b
struct bare_expression : x3::parser<bare_expression> {  // number, {expression}, or text up to the next blank
  using attribute_type = ast::Value;
  static constexpr bool has_attribute = true;
  template <class Context, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, x3::unused_type,
             Attribute& attribute) const {
    const Iterator start = first;
    ast::Value v;
    if (value{}.parse(first, last, context, x3::unused, v) &&
        (first == last || is_blank(*first) || *first == '\n' || *first == ';')) {
      x3::traits::move_to(v, attribute);
      return true;
    }
    first = start;
    x3::skip_over(first, last, context);
    Iterator p = first;
    while (p != last && !is_blank(*p) && *p != '\n' && *p != ';') ++p;
    if (p == first) return false;
    x3::traits::move_to(ast::Value{0, ast::Text(first, static_cast<std::size_t>(p - first))}, attribute);
    first = p;
    return true;
  }
};
const auto param_assignment = x3::rule<struct param_assignment_tag, ast::Assignment>("name=value") = name > equals >
                                                                                                     bare_expression();
const auto param_card = x3::rule<struct param_tag, std::vector<ast::Assignment>>(".param") = directive >
                                                                                             +(!end_of_card() >>
                                                                                               param_assignment) >
                                                                                             end_of_card();

const auto words_card = x3::rule<struct words_tag, std::vector<ast::Text>>("names") = directive > *name > end_of_card();
const auto tran_card = x3::rule<struct tran_tag, std::vector<ast::Value>>(".tran") =
    directive > +value() > x3::omit[-keyword("uic")] > end_of_card();

// * layer: M5,VDD net: 1
const auto layer_comment = x3::rule<struct layer_tag, ast::LayerComment>("layer") = '*' >> keyword("layer:") >> name >>
                                                                                    ',' >> name >>
                                                                                    keyword("net:") >> x3::int_;
// * nominal: VDD 1.1
const auto nominal_comment = x3::rule<struct nominal_tag, ast::NominalComment>("nominal") = '*' >>
                                                                                            keyword("nominal:") >> name
                                                                                            >> number();
// * dbu: 2000
const auto dbu_comment = x3::rule<struct dbu_tag, double>("dbu") = '*' >> keyword("dbu:") >> number();
// * Netlist for VSS on default
const auto net_comment = x3::rule<struct net_tag, ast::NetComment>("net") = '*' >> keyword("netlist") >>
                                                                            keyword("for") >> name >>
                                                                            keyword("on") >> name;

}  // namespace gridiron::grammar
