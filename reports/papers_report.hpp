// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "analysis/papers/paper.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The tables of a paper for a terminal: ours, and the paper's beside it; MISSED marks figures outside their tolerance.
std::string papers_text(const PaperResult& result);

/// The same for all papers as a page of Markdown, and as a page of HTML that needs no other file.
std::string papers_markdown(std::span<const PaperResult> results);
std::string papers_html(std::span<const PaperResult> results);

/// papers.txt, papers.md and papers.html below `directory` (made if absent). Errors: ResourceError.
void write_papers(std::span<const PaperResult> results, const OutputPath& directory);

}  // namespace gridiron
