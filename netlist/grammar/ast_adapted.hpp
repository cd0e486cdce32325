// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/fusion/include/adapt_struct.hpp>
#include <boost/fusion/include/std_pair.hpp>

#include "netlist/grammar/ast.hpp"

BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::Setting, key, values)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::ModelUse, name, second, value)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::Passive, name, a, b, value, model, settings)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::Source, name, a, b, dc, settings)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::Assignment, name, value)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::Model, name, type, parameters)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::Instance, name, words, parameters)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::Subcircuit, name, ports, parameters)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::LayerComment, layer, net, number)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::NetComment, net, corner)
BOOST_FUSION_ADAPT_STRUCT(gridiron::ast::NominalComment, net, volts)
