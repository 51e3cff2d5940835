#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tepui/recipe/operators.h"

// Reference pages made from the registry: plain HTML that is readable offline, in the light and in the dark.

namespace tepui {

/// A picture of a page. Links are relative to the page.
struct PagePicture {
  std::string file;
  int width = 0, height = 0;
  std::string setting;  ///< "erosion=0.2"; empty: the example as it is
};

/// The pictures that an operator's page shows: its example, then every value of its main parameters.
std::vector<PagePicture> page_pictures(const Operator& op);

/// "gradation.html": a plain name, whatever the operator's is.
std::string page_file(const Operator& op);

/// `layer` is what its pictures are coloured by; empty: natural colours.
std::string operator_page(const Operator& op, std::string_view layer);

/// Thumbnails of these operators, module by module.
std::string index_page(const std::vector<const Operator*>& shown);

/// Fit for HTML, between tags and in quotes.
std::string html_text(std::string_view text);

}  // namespace tepui
