#include "tepui/output/reference_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/version.h"
#include "tepui/output/example.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/stages.h"

namespace tepui {

namespace {

constexpr int main_width = 960, sweep_width = 400;

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --paper: #fbf9f5; --ink: #2b2622; --soft: #756b60; --line: #e2dbd0; --card: #ffffff;
  --link: #a2431a; --code: #f2ede4; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1c1a18; --ink: #e9e3da; --soft: #a39a8e; --line: #3a3530; --card: #262320; --link: #ee9a6b;
    --code: #2b2723; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
a { color: var(--link); }
h1 { margin: .5rem 0 .25rem; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
nav, .soft, figcaption { color: var(--soft); }
.about { font-size: 1.15rem; margin: 0 0 1.25rem; }
img { display: block; width: 100%; height: auto; border-radius: 6px; background: var(--line); }
figure { margin: 0; }
figcaption { padding: .35rem .1rem 0; font-size: .9rem; }
code, pre { font-family: ui-monospace, "Noto Sans Mono", "DejaVu Sans Mono", monospace; font-size: .9em; }
pre { margin: 1rem 0; padding: .75rem 1rem; background: var(--code); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; user-select: all; }
.row { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .75rem; margin-top: .75rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.card { display: block; padding-bottom: .75rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; overflow: hidden; color: inherit; text-decoration: none; }
.card:hover, .card:focus { border-color: var(--link); }
.card img { border-radius: 0; margin-bottom: .6rem; }
.card strong, .card span { display: block; padding: 0 .8rem; }
.card strong { color: var(--link); }
.card span { color: var(--soft); font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td { min-width: 4.5rem; overflow-wrap: break-word; }
td:last-child { min-width: 14rem; }
th { color: var(--soft); font-weight: 500; }
)";

std::string page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\" />\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}"
      "</body>\n</html>\n",
      html_text(title), style, body);
}

/// Letters, digits and underscores stay; any other byte becomes "-" and its number, so that names stay apart.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool keep = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    plain += keep ? std::string(1, c) : fmt::format("-{:02x}", static_cast<unsigned char>(c));
  }
  return plain;
}

PagePicture picture_of(const Operator& op, std::string_view more, int width, std::string setting) {
  return {fmt::format("pictures/{}{}.webp", plain_name(op.name), more), width, width * 9 / 16, std::move(setting)};
}

PagePicture main_picture(const Operator& op) { return picture_of(op, "", main_width, ""); }

PagePicture sweep_picture(const Operator& op, const Field& field, size_t i) {
  return picture_of(op, fmt::format("-{}-{}", plain_name(field.name), i + 1), sweep_width,
                    field.name + "=" + field.sweep[i]);
}

std::string image(const PagePicture& picture, std::string_view about) {
  return fmt::format("<img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\" loading=\"lazy\" />", picture.file,
                     picture.width, picture.height, html_text(about));
}

std::string sweep_section(const Operator& op, const Field& field) {
  std::string html = fmt::format("<h2><code>{}</code></h2>\n<p class=\"soft\">{}</p>\n<div class=\"row\">\n",
                                 html_text(field.name), html_text(field.doc));
  for (size_t i = 0; i < field.sweep.size(); ++i) {
    const PagePicture picture = sweep_picture(op, field, i);
    html += fmt::format("<figure>{}<figcaption><code>{}</code></figcaption></figure>\n",
                        image(picture, op.name + " with " + picture.setting), html_text(picture.setting));
  }
  return html + "</div>\n";
}

std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"wide\"><table>\n<tr>";
  for (const std::string& head : heads) html += fmt::format("<th>{}</th>", head);
  html += "</tr>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i)
      html += (i == 0 ? "<td><code>" : "<td>") + html_text(row[i]) + (i == 0 ? "</code></td>" : "</td>");
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

/// A row of the table; one more for each field of a record.
void add_parameter(std::vector<std::vector<std::string>>& rows, const Field& field, const std::string& name) {
  const std::string when = field.when.empty() ? "" : fmt::format(" (only with {})", field.when);
  rows.push_back({name, std::string(param_type_name(field.type)), param_text(field, field.fallback), range_text(field),
                  field.unit, field.doc + when});
  if (field.record != nullptr)
    for (const Field& column : field.record->fields)
      add_parameter(rows, column, fmt::format("{}[].{}", name, column.name));
}

std::string parameters(const Operator& op) {
  std::vector<std::vector<std::string>> rows;
  for (const Field& field : op.params.fields) add_parameter(rows, field, field.name);
  if (rows.empty()) return "<p>None.</p>\n";
  return table({"name", "type", "default", "range", "unit", "what it is"}, rows);
}

std::string ports(const Operator& op) {
  std::vector<std::vector<std::string>> rows;
  for (const Port& port : op.inputs) rows.push_back({port.name, port_text(port)});
  std::string html = rows.empty() ? "" : table({"port", "takes"}, rows);
  if (op.takes_world)
    html +=
        rows.empty() ? "<p>Fills the recipe's world.</p>\n" : "<p>Places and % are those of the recipe's world.</p>\n";
  if (rows.empty() && !op.takes_world) html += "<p>Takes no input.</p>\n";
  if (has_ages(op)) html += fmt::format("<p><code>{}</code> {}.</p>\n", every_key, html_text(every_doc));
  return html + fmt::format("<p>Gives {}. Reach (how far it looks): {}. Version {}.</p>\n", op.output->name,
                            html_text(reach_text(op.params)), op.version);
}

std::string sources(const Operator& op) {
  if (op.citation.empty()) return {};
  std::string html = "<h2>After</h2>\n<ul>\n";
  for (const Citation& work : citations(op.citation)) {
    const std::string link = work.doi.empty() ? work.url : "https://doi.org/" + work.doi;
    html += fmt::format("<li>{} ({}): ", html_text(work.author), html_text(work.year));
    html += link.empty() ? html_text(work.title)
                         : fmt::format("<a href=\"{}\">{}</a>", html_text(link), html_text(work.title));
    html += work.in.empty() ? "</li>\n" : fmt::format(". {}</li>\n", html_text(work.in));
  }
  return html + "</ul>\n";
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : text) switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        // HTML has no way to write other control characters.
        html += (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f' ? ' ' : c;
    }
  return html;
}

std::string page_file(const Operator& op) { return plain_name(op.name) + ".html"; }

std::vector<PagePicture> page_pictures(const Operator& op) {
  std::vector<PagePicture> list{main_picture(op)};
  for (const Field& field : op.params.fields)
    for (size_t i = 0; i < field.sweep.size(); ++i) list.push_back(sweep_picture(op, field, i));
  return list;
}

std::string operator_page(const Operator& op, std::string_view layer) {
  std::string html = fmt::format("<nav><a href=\"index.html\">All operators</a> / {}</nav>\n<h1>{}</h1>\n",
                                 html_text(op.module), html_text(op.name));
  html += fmt::format("<p class=\"about\">{}</p>\n<figure>{}", html_text(op.params.about),
                      image(main_picture(op), op.output->noun + " made with " + op.name));
  if (!layer.empty()) html += fmt::format("<figcaption>Coloured by the layer '{}'.</figcaption>", html_text(layer));
  html += fmt::format("</figure>\n<pre><code>tepui make '{}'</code></pre>\n", html_text(example_line(op)));
  for (const Field& field : op.params.fields)
    if (!field.sweep.empty()) html += sweep_section(op, field);
  html += "<h2>Parameters</h2>\n" + parameters(op) + "<h2>In and out</h2>\n" + ports(op) + sources(op);
  return page(op.name + " - Tepui", html);
}

std::string index_page(const std::vector<const Operator*>& shown) {
  std::string html = fmt::format(
      "<h1>Tepui's operators</h1>\n<p class=\"about\">The operators that recipes are made of. Each page has the line "
      "that made its picture.</p>\n<p class=\"soft\">Version {}</p>\n",
      html_text(version));
  std::vector<std::string> modules;
  for (const Operator* op : shown)
    if (std::ranges::find(modules, op->module) == modules.end()) modules.push_back(op->module);
  // Land is made before it is worn.
  const std::vector<std::string> order{"generate", "geology", "erode", "terrain", "io"};
  std::ranges::stable_sort(modules, {}, [&](const std::string& module) {
    return std::pair(std::ranges::find(order, module) - order.begin(), module);
  });
  for (const std::string& module : modules) {
    html += fmt::format("<h2>{}</h2>\n<div class=\"cards\">\n", html_text(module));
    for (const Operator* op : shown)
      if (op->module == module)
        html += fmt::format("<a class=\"card\" href=\"{}\">{}<strong>{}</strong><span>{}</span></a>\n", page_file(*op),
                            image(main_picture(*op), op->name), html_text(op->name), html_text(op->params.about));
    html += "</div>\n";
  }
  return page("Tepui's operators", html);
}

}  // namespace tepui
