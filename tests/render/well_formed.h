#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tepui::test {

/// What is wrong with the text as XML, as far as our writer could get it wrong; empty if nothing is: tags that do not
/// match, attributes without quotes, bare < and &, bytes that XML has no place for, broken UTF-8.
inline std::string xml_fault(std::string_view text) {
  std::vector<std::string> open;
  size_t i = 0;
  bool root = false;
  const auto name_end = [&](size_t from) {
    while (from < text.size() && (std::isalnum(static_cast<unsigned char>(text[from])) || text[from] == ':' ||
                                  text[from] == '-' || text[from] == '_'))
      ++from;
    return from;
  };
  const auto entity_end = [&](size_t from) -> size_t {
    for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
      if (text.substr(from, known.size()) == known) return from + known.size();
    return 0;
  };
  for (size_t k = 0; k < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[k]);
    if (c < 32 && c != '\n') return "a control character";
    const size_t length = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (length == 0 || (c >= 0x80 && c < 0xC2) || k + length > text.size()) return "broken UTF-8";
    for (size_t m = 1; m < length; ++m)
      if ((static_cast<unsigned char>(text[k + m]) & 0xC0) != 0x80) return "broken UTF-8";
    if (text.substr(k, 3) == "\xEF\xBF\xBE" || text.substr(k, 3) == "\xEF\xBF\xBF") return "no character";
    k += length;
  }
  if (text.substr(0, 5) == "<?xml") i = text.find("?>") + 2;
  while (i < text.size()) {
    if (text[i] == '&') {
      if (entity_end(i) == 0) return "a bare & at " + std::to_string(i);
      i = entity_end(i);
    } else if (text[i] != '<') {
      if (text[i] == '>') return "a bare > at " + std::to_string(i);
      if (open.empty() && text[i] != '\n') return "text outside of the root";
      ++i;
    } else if (text[i + 1] == '/') {
      const size_t end = name_end(i + 2);
      if (open.empty() || open.back() != text.substr(i + 2, end - i - 2) || text[end] != '>')
        return "an end without a beginning at " + std::to_string(i);
      open.pop_back();
      i = end + 1;
    } else {
      if (open.empty() && root) return "a second root";
      root = true;
      size_t at = name_end(i + 1);
      if (at == i + 1) return "a bare < at " + std::to_string(i);
      const std::string name(text.substr(i + 1, at - i - 1));
      while (at < text.size() && text[at] == ' ') {
        const size_t end = name_end(at + 1);
        if (end == at + 1 || text.substr(end, 2) != "=\"")
          return "an attribute without quotes at " + std::to_string(at);
        at = end + 2;
        while (at < text.size() && text[at] != '"') {
          if (text[at] == '<') return "a bare < in an attribute";
          if (text[at] == '&' && entity_end(at) == 0) return "a bare & in an attribute";
          ++at;
        }
        ++at;
      }
      if (text.substr(at, 2) == "/>") {
        i = at + 2;
      } else if (at < text.size() && text[at] == '>') {
        open.push_back(name);
        i = at + 1;
      } else {
        return "a tag that does not end at " + std::to_string(i);
      }
    }
  }
  return open.empty() && root ? "" : "a tag is left open";
}

}  // namespace tepui::test
