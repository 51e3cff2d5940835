#include "apps/studio/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "apps/studio/graph_edits.h"
#include "apps/studio/recipe_message.h"
#include "tepui/core/colour_map.h"
#include "tepui/core/version.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/output/look.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/recipe_look.h"
#include "tepui/output/recipe_source.h"
#include "tepui/output/schema.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

using std::chrono::milliseconds;

constexpr auto until_save = milliseconds(500), between_looks = milliseconds(250), between_checks = milliseconds(100);

Sun sun_of(const Plan& plan, const std::string& node) {
  try {
    const PictureParams picture = picture_from_json(json_object({}), look_of(plan, node));
    return {picture.sun_azimuth.degrees, picture.sun_elevation.degrees};
  } catch (const Error&) {
    return {};
  }
}

/// Tells the pages how far an export is: its tasks together, which never seems less than before.
class ExportProgress : public ProgressSink {
 public:
  explicit ExportProgress(Wire& wire) : wire_(wire) {}

  void progress(int task, std::string_view stage, double fraction) override {
    const std::lock_guard lock(mutex_);
    tasks_[task] = fraction;
    double sum = 0;
    for (const auto& [number, done] : tasks_) sum += done;
    // A task or two more may come.
    const double all = sum / (static_cast<double>(tasks_.size()) + 1);
    if (all < told_ + 0.005) return;
    told_ = all;
    wire_.say(everyone, frame_text({{"say", "exporting"}, {"stage", stage}, {"fraction", told_}}), "exporting");
  }
  void warn(std::string_view) override {}

 private:
  Wire& wire_;
  std::mutex mutex_;
  std::map<int, double> tasks_;
  double told_ = 0;
};

/// The files that a recipe's nodes read.
std::set<std::string> files_read(const Graph& graph) {
  std::set<std::string> files;
  for (const Node& node : graph.nodes)
    for (const ParamValue& value : node.params)
      if (const FilePath* file = std::get_if<FilePath>(&value); file != nullptr && !file->path.empty())
        files.insert(file->path);
  return files;
}

}  // namespace

Server::Server(const StudioOptions& options, const Context& context)
    : options_(options),
      context_(context),
      document_(recipe_source(options.recipe)),
      look_at_(Clock::now() + between_looks),
      page_(page_table(embedded_page())),
      wire_({.port = options.port}, page_, *this),
      work_(wire_, tasks_, options.cache),
      still_(wire_) {
  std::error_code error;
  if (fs::is_regular_file(options.recipe, error)) file_.emplace(options.recipe, document_.text());
  folder_ = file_ ? fs::path(file_->path()).parent_path().string() : fs::current_path(error).string();
  if (!file_) preset_ = find_preset(options.recipe);
  uploads_ = std::make_unique<Uploads>(folder_);
  stroke_disk_ = std::make_unique<StrokeDisk>(folder_);
}

Server::~Server() = default;

std::shared_ptr<ProgressSink> Server::export_progress() { return std::make_shared<ExportProgress>(wire_); }

void Server::run() {
  refresh();
  if (options_.ready) options_.ready(fmt::format("{}/#{}", origin_of(wire_.port()), wire_.token()));
  while (!context_.cancelled()) {
    Clock::time_point until = Clock::now() + between_checks;
    if (save_at_) until = std::min(until, *save_at_);
    if (const std::function<void()> task = tasks_.take_until(until)) task();
    work_.tick();
    if (save_at_ && Clock::now() >= *save_at_) save_now();
    if (Clock::now() >= look_at_) look();
  }
  // The hand may still be on a slider; what it did counts.
  save_now();
  wire_.say(everyone, frame_text({{"say", "closing"}}));
}

// Pages.

void Server::greeted(Peer peer, const std::string& key) {
  tasks_.post([this, peer, key] { welcome(peer, key); });
}

void Server::said(Peer peer, std::string text) {
  tasks_.post([this, peer, text = std::move(text)]() mutable {
    hear(peer, std::move(text));
    wire_.heard(peer);
  });
}

void Server::sent(Peer peer, std::string bytes) {
  tasks_.post([this, peer, bytes = std::move(bytes)] {
    try {
      SentBytes part;
      if (!parse_sent_bytes(bytes, part)) refuse("this is no part of a file");
      uploads_->add(part.file, part.offset, part.bytes);
    } catch (const Error& error) {
      say_failed(error);
    }
    wire_.heard(peer);
  });
}

void Server::left(Peer) {
  tasks_.post([this] { let_go(); });
}

void Server::answer(Peer peer, const std::optional<int64_t>& id, const Ordered& facts) {
  Ordered whole{{"re", id ? Ordered(*id) : Ordered()}};
  whole.update(facts);
  wire_.say(peer, frame_text(whole));
}

void Server::hear(Peer peer, std::string text) {
  std::optional<int64_t> id;
  try {
    const Request request = parse_request(std::move(text));
    id = request.id;
    if (request.verb == "credit")
      return wire_.credit(peer, static_cast<uint64_t>(request.integer("bytes", 0, int64_t{1} << 40)));
    if (!id) refuse("a request needs a whole number 'id'");
    const auto verb = verbs().find(request.verb);
    if (verb == verbs().end()) refuse("there is no such request");
    if (const std::optional<Answer> facts = (this->*verb->second)(peer, request)) answer(peer, id, *facts);
  } catch (const Error& error) {
    answer(peer, id, {{"error", error_json(error)}});
  } catch (const std::exception& error) {
    answer(peer, id, {{"error", error_json(Error(ErrorKind::failure, error.what()))}});
  }
}

void Server::answer_later(Errands& errands, Peer peer, const Request& request, Errands::Work work) {
  errands.start(std::move(work), [this, peer, id = request.id](const Ordered& facts) { answer(peer, id, facts); });
}

void Server::welcome(Peer peer, const std::string& key) {
  Ordered list = Ordered::array();
  for (const Preset& preset : presets()) {
    const std::string picture = picture_of_preset(page_, preset.name);
    list.push_back({{"name", preset.name},
                    {"title", preset.title},
                    {"thumbnail", picture.empty() ? Ordered() : Ordered(picture)}});
  }
  wire_.say(peer, frame_text({{"say", "welcome"},
                              {"key", key},
                              {"program", version},
                              {"name", name()},
                              {"operators", Ordered::parse(operators_json())["operators"]},
                              {"presets", list},
                              {"colour_maps", colour_map_names()}}));
  say_recipe();
  if (!clashes_.empty()) say_conflict();
  // A run of its own, so that the page gets all of it.
  work_.forget_thumbnails();
  if (plan_) work_.show(plan_, view());
}

void Server::say_recipe() {
  Ordered labels = Ordered::array();
  for (const std::string& label : document_.labels()) labels.push_back({{"label", label}});
  Ordered recipe{{"say", "recipe"},
                 {"generation", work_.generation()},
                 {"text", document_.text()},
                 {"name", name()},
                 {"file", file_ ? Ordered(file_->shown()) : Ordered()},
                 {"state", state()},
                 {"shown", {{"node", shown_}, {"layer", layer_.empty() ? Ordered() : Ordered(layer_)}}},
                 {"history", labels},
                 {"step", document_.at()},
                 {"paused", work_.is_paused()},
                 {"comparing", comparing_},
                 {"problems", problems_json(problems_)},
                 {"unfinished", problems_json(unfinished_)}};
  recipe.update(recipe_parts(document_.source(), document_.first_text(),
                             problems_.empty() && !comparing_ ? plan_.get() : nullptr, shown_));
  recipe["strokes"] = strokes_json();
  wire_.say(everyone, frame_text(recipe), "recipe");
}

void Server::say_failed(const Error& error) {
  Ordered failed{{"say", "failed"}};
  failed.update(error_json(error));
  wire_.say(everyone, frame_text(failed), "failed");
}

std::string Server::name() const { return fs::path(document_.source().name).stem().string(); }

const char* Server::state() const {
  if (!clashes_.empty()) return "conflict";
  if (file_ && document_.text() == file_->text() && stroke_disk_->holds(named_strokes())) return "saved";
  return save_at_ ? "saving" : "unsaved";
}

// The recipe.

std::optional<Plan> Server::read_document() {
  Source source = document_.source();
  if (comparing_) source.text = document_.first_text();
  Problems problems(Problems::Wanted::all);
  Plan made = plan(parse_recipe(source, {}, problems), problems);
  problems_ = problems.list();
  if (!problems_.empty()) {
    const std::optional<FinishedPart> part = finished_part(source, problems_);
    Problems rest(Problems::Wanted::all);
    if (part) made = plan(parse_recipe(part->source, {}, rest), rest);
    if (!part || !rest.empty() || made.nodes.empty()) return std::nullopt;
    std::swap(problems_, unfinished_);
  }
  if (made.nodes.empty()) refuse("the recipe has no nodes", "add one that makes land, such as noise");
  check_graph(made);
  return made;
}

void Server::refresh() {
  problems_.clear();
  unfinished_.clear();
  const std::shared_ptr<const Plan> before = plan_;
  const std::string shown_before = shown_;
  bool same_strokes = true;
  try {
    if (std::optional<Plan> made = read_document()) {
      const HeldFiles held =
          stroke_lines_.of(document_.source().name, comparing_ ? document_.first_strokes() : document_.strokes());
      plan_ = with_held_lines(std::move(*made), held);
      const Hash strokes = hash_of(held);
      same_strokes = std::exchange(strokes_shown_, strokes) == strokes;
      choose_shown(before.get());
      read_.clear();
      for (const std::string& file : files_read(*plan_))
        if (!held.contains(fs::path(file).lexically_normal().string())) read_[file] = stamp_of(file);
      if (!comparing_) name_strokes();
    }
  } catch (const Error& error) {
    problems_ = {error};
  }
  // Where nodes stand and what they are called in titles changes nothing that is shown.
  const bool same = same_strokes && before && plan_ && before->hash == plan_->hash && before->name == plan_->name &&
                    shown_before == shown_;
  if (problems_.empty() && plan_ && !same) work_.show(plan_, view());
  say_recipe();
}

/// What the recipe is about, where what was shown is not in it.
void Server::choose_shown(const Plan* before) {
  // A brush's node that has just come is shown in place of what it changes, and the other way round.
  for (const auto& [brush, after] : brush_after_)
    if (shown_ == after && plan_->find_node(brush) >= 0 && before != nullptr && before->find_node(brush) < 0)
      shown_ = brush;
  while (plan_->find_node(shown_) < 0 && brush_after_.contains(shown_)) shown_ = brush_after_.at(shown_);
  if (plan_->find_node(shown_) < 0) {
    shown_.clear();
    for (const Output& output : plan_->outputs)
      if (shown_.empty() && output.from.node >= 0 && output_kind(*plan_->node(output.from).op->output).is_pictured())
        shown_ = plan_->node(output.from).name;
    if (shown_.empty() && !plan_->nodes.empty()) shown_ = plan_->nodes.back().name;
    // A stage is shown by the node that it is a part of.
    const int node = plan_->find_node(shown_);
    if (node >= 0 && plan_->node(node).whole >= 0) shown_ = plan_->node(plan_->node(node).whole).name;
  }
  recipe_sun_ = sun_of(*plan_, shown_);
}

Server::Answer Server::edited() {
  if (file_ && clashes_.empty() && !document_.is_held()) save_at_ = Clock::now() + until_save;
  refresh();
  return Ordered::object();
}

void Server::let_go() {
  const bool was_held = document_.is_held();
  document_.release();
  work_.hold(false);
  if (!was_held) return;
  if (file_ && clashes_.empty()) save_at_ = Clock::now() + until_save;
  say_recipe();
}

/// What a page adds to a recipe reads only files beside it; what its author wrote may read any.
void Server::require_files_inside(const Source& source) const {
  Problems problems(Problems::Wanted::all);
  // A recipe that is wrong elsewhere may be mended later, and then it would read them.
  const Recipe recipe = parse_recipe(source, {}, problems);
  std::set<std::string> known = files_read(parse_recipe(document_.source(), {}, problems));
  if (plan_) known.merge(files_read(*plan_));
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder_, error);
  for (const std::string& file : files_read(recipe)) {
    if (known.contains(file)) continue;
    const fs::path path = fs::weakly_canonical(fs::absolute(file), error);
    const bool inside = !error && std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
    if (!inside)
      refuse(fmt::format("'{}' is not in the recipe's folder", fs::path(file).filename().string()),
             "put it there, or write its name into the recipe's file");
  }
}

// The file.

void Server::save_as(const std::string& wanted) {
  require_new_file(folder_, wanted, ".json");
  name_strokes_anew(wanted);
  stroke_disk_->save(named_strokes());
  OwnFile made = OwnFile::create(folder_, wanted, ".json", document_.text());
  if (preset_ != nullptr)
    for (const PresetFile& data : preset_->files) {
      const fs::path target = fs::path(folder_) / data.name;
      if (fs::exists(target)) continue;
      ensure_folder(target.parent_path().string());
      require_inside(folder_, target.string());
      write_file(target.string(), data.bytes);
    }
  file_ = std::move(made);
  document_.rename(file_->path());
  preset_ = nullptr;
  refresh();
}

void Server::name_strokes() {
  named_.clear();
  for (const Node& node : plan_->nodes)
    if (const std::string file = lines_file_of(node); !file.empty())
      named_.insert(stroke_file_name(document_.source().name, file));
}

void Server::save_now() {
  save_at_.reset();
  if (!file_ || !clashes_.empty()) return;
  try {
    take_theirs();
    if (!clashes_.empty()) return;
    take_their_strokes();
    // Strokes first: a recipe that is on disk names no file that is not.
    save_strokes();
    if (document_.text() != file_->text()) file_->save(document_.text());
    stroke_disk_->tidy(document_.strokes());
  } catch (const Error& error) {
    say_failed(error);
  }
  say_recipe();
}

void Server::take_theirs() {
  const std::string base = file_->text();
  const std::optional<std::string> theirs = file_->changed_text();
  if (!theirs || *theirs == document_.text()) return;
  if (document_.text() == base) {
    document_.replace("changed outside", *theirs);
    return refresh();
  }
  try {
    const Merge merged = merge(base, document_.text(), *theirs);
    clashes_ = merged.clashes;
    if (clashes_.empty()) {
      document_.replace("changed outside", merged.text);
      return refresh();
    }
  } catch (const Error&) {
    // One of the two is no JSON, so that nothing is known of places.
    clashes_ = {{{}, document_.text(), *theirs}};
  }
  theirs_ = *theirs;
  say_conflict();
}

void Server::say_conflict() {
  Ordered places = Ordered::array();
  for (const Clash& clash : clashes_)
    places.push_back(
        {{"path", fmt::format("{}", fmt::join(clash.path, "."))}, {"mine", clash.mine}, {"theirs", clash.theirs}});
  wire_.say(everyone, frame_text({{"say", "conflict"}, {"places", places}}), "conflict");
}

void Server::look() {
  look_at_ = Clock::now() + between_looks;
  look_at_recipe();
  look_at_strokes();
  bool changed = false;
  for (auto& [file, stamp] : read_) {
    const FileStamp now = stamp_of(file);
    changed |= now != stamp;
    stamp = now;
  }
  if (changed && plan_) work_.show(plan_, view());
}

void Server::look_at_recipe() {
  if (!file_ || !clashes_.empty() || save_at_ || document_.is_held() || file_->is_untouched()) return;
  try {
    take_theirs();
    if (!clashes_.empty() || document_.text() == file_->text()) return say_recipe();
    save_at_ = Clock::now() + until_save;
  } catch (const Error& error) {
    say_failed(error);
  }
}

}  // namespace tepui::studio
