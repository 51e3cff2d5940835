// docs: reference pages made from the registry, with pictures.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/progress.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/output/example.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/output_nodes.h"
#include "tepui/output/reference_page.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/render/picture/picture_file.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

/// Named once each, in the registry's order.
std::vector<const Operator*> chosen_operators(const std::vector<std::string>& only) {
  for (const std::string& name : only) require_operator(name);
  std::vector<const Operator*> list;
  for (const Operator& op : operators())
    if (only.empty() || std::ranges::find(only, op.name) != only.end()) list.push_back(&op);
  return list;
}

PictureParams params_of(const PagePicture& picture, const std::string& layer, bool draft) {
  PictureParams params;
  params.size = Vec2{static_cast<double>(draft ? picture.width / 4 : picture.width),
                     static_cast<double>(draft ? picture.height / 4 : picture.height)};
  params.samples = draft ? 4 : 16;
  if (!layer.empty()) {
    params.colour = PictureColour::layer;
    params.layer = layer;
  }
  return params;
}

/// Writes an operator's page and pictures.
class PageWriter {
 public:
  explicit PageWriter(const DocsOptions& options) : options_(options) {
    ensure_folder((fs::path(options.folder) / "pictures").string());
    check_writable(path_of("index.html"));
  }

  void write(const Operator& op, const Context& context) {
    const std::vector<PagePicture> pictures = page_pictures(op);
    double pixels = 0, done = 0;
    for (const PagePicture& picture : pictures) pixels += picture.width * picture.height;
    std::string layer;
    drawn_.clear();
    for (const PagePicture& picture : pictures) {
      const double next = done + picture.width * picture.height / pixels;
      const std::string shown = draw(op, picture, context.stage("drawing", done, next));
      if (picture.setting.empty()) layer = shown;
      done = next;
    }
    write_text(page_file(op), operator_page(op, layer));
    context.progress(1);
  }

  /// Of all pages that are there, whether this run wrote them or one before it.
  void write_index() {
    std::vector<const Operator*> there;
    for (const Operator& op : operators())
      if (fs::exists(path_of(page_file(op)))) there.push_back(&op);
    write_text("index.html", index_page(there));
  }

  const std::vector<std::string>& files() const { return files_; }

 private:
  std::string path_of(const std::string& name) const { return (fs::path(options_.folder) / name).string(); }

  /// Returns the layer that it is coloured by, if any.
  std::string draw(const Operator& op, const PagePicture& picture, const Context& context) {
    const auto resolution = options_.draft ? std::optional<int64_t>(257) : std::nullopt;
    // The nodes of an example are soon made, and would count as tasks of their own.
    const Example example = examples_.make(op, picture.setting, resolution, context.told_to(nullptr));
    const PictureParams params = params_of(picture, example.layer, options_.draft);
    // Several values may give the same: that of the example itself comes with every main parameter.
    const Hash hash = example.value.hash(), key = Hasher().add(hash).add(picture.width).finish();
    const Setting around{example.world, example.recipe.world.sea_level};
    if (!drawn_.contains(key)) drawn_[key].image = draw_value(example.value, params, around, context);
    write_picture(path_of(picture.file), drawn_[key], params, png_text(example.recipe, hash, example.value.kind()),
                  context.told_to(nullptr));
    files_.push_back(path_of(picture.file));
    return example.layer;
  }

  void write_text(const std::string& name, const std::string& text) {
    write_file(path_of(name), text);
    files_.push_back(path_of(name));
  }

  const DocsOptions& options_;
  Examples examples_;
  std::map<Hash, Picture> drawn_;  ///< of the operator at hand
  std::vector<std::string> files_;
};

}  // namespace

void docs(const DocsOptions& options, const Invocation& call) {
  const auto began = std::chrono::steady_clock::now();
  const std::vector<const Operator*> list = chosen_operators(options.only);
  PageWriter writer(options);
  std::vector<std::string> tasks;
  for (const Operator* op : list) tasks.push_back(op->name);
  call.progress.begin(tasks);
  for (size_t i = 0; i < list.size(); ++i) writer.write(*list[i], call.context.task(static_cast<int>(i)));
  writer.write_index();
  call.progress.end();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const std::string index = (fs::path(options.folder) / "index.html").string();
  if (call.json)
    print_json(Ordered{{"index", index}, {"files", writer.files()}, {"seconds", seconds}});
  else
    fmt::print("{} operators in {:.0f} s; open {}\n", list.size(), seconds, index);
}

}  // namespace tepui::app
