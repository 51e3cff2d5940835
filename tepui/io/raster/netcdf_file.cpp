#include "tepui/io/raster/netcdf_file.h"

#include "tepui/core/text.h"

namespace tepui {

std::string NcVariable::plain_text(const char* key) const {
  const auto found = attributes.find(key);
  if (found == attributes.end()) return "";
  std::string text = found->second.text;
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string NcVariable::text(const char* key) const { return lower_case(plain_text(key)); }

const std::vector<double>& NcVariable::numbers(const char* key) const {
  static const std::vector<double> none;
  const auto found = attributes.find(key);
  return found != attributes.end() ? found->second.numbers : none;
}

}  // namespace tepui
