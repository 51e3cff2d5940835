#include "apps/studio/studio.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/studio/document.h"
#include "apps/studio/land_work.h"
#include "apps/studio/recipe_file.h"
#include "apps/studio/recipe_message.h"
#include "apps/studio/request.h"
#include "apps/studio/tasks.h"
#include "apps/studio/wire.h"
#include "tepui/core/colour_map.h"
#include "tepui/core/version.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/output/look.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/recipe_look.h"
#include "tepui/output/recipe_source.h"
#include "tepui/output/schema.h"
#include "tepui/recipe/presets.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

using std::chrono::milliseconds;

constexpr auto until_save = milliseconds(500), between_looks = milliseconds(250), between_checks = milliseconds(100);

/// What a studio does, in the thread that calls run().
class Studio : private Listener {
 public:
  Studio(const StudioOptions& options, const Context& context)
      : options_(options),
        context_(context),
        document_(recipe_source(options.recipe)),
        wire_({.port = options.port}, page_table(embedded_page()), *this),
        work_(wire_, tasks_, options.cache) {
    std::error_code error;
    if (fs::is_regular_file(options.recipe, error)) file_.emplace(options.recipe, document_.text());
    folder_ = file_ ? fs::path(file_->path()).parent_path().string() : fs::current_path(error).string();
    if (!file_) preset_ = find_preset(options.recipe);
  }

  void run() {
    refresh();
    if (options_.ready) options_.ready(fmt::format("{}/#{}", origin_of(wire_.port()), wire_.token()));
    while (!context_.cancelled()) {
      Clock::time_point until = Clock::now() + between_checks;
      if (save_at_) until = std::min(until, *save_at_);
      if (const std::function<void()> task = tasks_.take_until(until)) task();
      if (save_at_ && Clock::now() >= *save_at_) save_now();
      if (Clock::now() >= look_at_) look();
    }
    // The hand may still be on a slider; what it did counts.
    if (file_ && document_.text() != file_->text()) save_now();
    wire_.say(everyone, frame_text({{"say", "closing"}}));
  }

 private:
  using Answer = Ordered;
  using Do = Answer (Studio::*)(const Request& request);

  // What pages say, in the wire's thread.
  void greeted(Peer peer, const std::string& key) override {
    tasks_.post([this, peer, key] { welcome(peer, key); });
  }
  void said(Peer peer, std::string text) override {
    tasks_.post([this, peer, text = std::move(text)]() mutable {
      hear(peer, std::move(text));
      wire_.heard(peer);
    });
  }
  void sent(Peer peer, std::string) override {
    tasks_.post([this, peer] { wire_.heard(peer); });
  }
  void left(Peer) override {
    tasks_.post([this] { let_go(); });
  }

  void hear(Peer peer, std::string text) {
    std::optional<int64_t> id;
    Ordered answer;
    try {
      const Request request = parse_request(std::move(text));
      id = request.id;
      if (request.verb == "credit") {
        wire_.credit(peer, static_cast<uint64_t>(request.integer("bytes", 0, int64_t{1} << 40)));
        return;
      }
      if (!id) refuse("a request needs a whole number 'id'");
      static const std::map<std::string, Do> verbs{
          {"set", &Studio::set},         {"release", &Studio::release}, {"reset", &Studio::reset},
          {"undo", &Studio::undo},       {"redo", &Studio::redo},       {"goto", &Studio::go_to},
          {"compare", &Studio::compare}, {"show", &Studio::show},       {"stop", &Studio::stop},
          {"pause", &Studio::pause},     {"overlay", &Studio::overlay}, {"light", &Studio::light},
          {"save", &Studio::save},       {"open", &Studio::open}};
      const auto verb = verbs.find(request.verb);
      if (verb == verbs.end()) refuse(fmt::format("there is no '{}'", request.verb));
      answer = (this->*verb->second)(request);
    } catch (const Error& error) {
      answer = {{"error", error_json(error)}};
    } catch (const std::exception& error) {
      answer = {{"error", {{"message", error.what()}, {"hint", ""}, {"path", ""}}}};
    }
    Ordered whole{{"re", id ? Ordered(*id) : Ordered()}};
    whole.update(answer);
    wire_.say(peer, frame_text(whole));
  }

  void welcome(Peer peer, const std::string& key) {
    Ordered list = Ordered::array();
    for (const Preset& preset : presets())
      list.push_back({{"name", preset.name}, {"title", preset.title}, {"thumbnail", nullptr}});
    wire_.say(peer, frame_text({{"say", "welcome"},
                                {"key", key},
                                {"program", version},
                                {"name", name()},
                                {"operators", Ordered::parse(operators_json())["operators"]},
                                {"presets", list},
                                {"colour_maps", colour_map_names()}}));
    say_recipe();
    // A run of its own, so that the page gets all of it.
    if (plan_) work_.show(plan_, view());
  }

  std::string name() const { return fs::path(document_.source().name).stem().string(); }

  // The document.

  View view() const { return {shown_, overlay_, colour_map_, sun_.value_or(recipe_sun_)}; }

  /// After whatever may have changed what is to be seen.
  void refresh() {
    problems_ = {};
    try {
      Source source = document_.source();
      if (comparing_) source.text = document_.first_text();
      Problems problems(Problems::Wanted::all);
      Plan made = plan(parse_recipe(std::move(source), {}, problems), problems);
      problems_ = problems.list();
      if (problems_.empty()) {
        plan_ = std::make_shared<const Plan>(std::move(made));
        choose_shown();
      }
    } catch (const Error& error) {
      problems_ = {error};
    }
    if (problems_.empty() && plan_) work_.show(plan_, view());
    say_recipe();
  }

  /// What the recipe is about, where what was shown is not in it.
  void choose_shown() {
    if (plan_->find_node(shown_) >= 0) return;
    shown_.clear();
    for (const Output& output : plan_->outputs)
      if (shown_.empty() && output.from.node >= 0 && output_kind(*plan_->node(output.from).op->output).is_pictured())
        shown_ = plan_->node(output.from).name;
    if (shown_.empty() && !plan_->nodes.empty()) shown_ = plan_->nodes.back().name;
    // A stage is shown by the node that it is a part of.
    const int node = plan_->find_node(shown_);
    if (node >= 0 && plan_->node(node).whole >= 0) shown_ = plan_->node(plan_->node(node).whole).name;
    recipe_sun_ = sun_of(*plan_, shown_);
  }

  static Sun sun_of(const Plan& plan, const std::string& node) {
    try {
      const PictureParams picture = picture_from_json(json_object({}), look_of(plan, node));
      return {picture.sun_azimuth.degrees, picture.sun_elevation.degrees};
    } catch (const Error&) {
      return {};
    }
  }

  void say_recipe() {
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
                   {"problems", problems_json(problems_)}};
    recipe.update(recipe_parts(document_.source(), document_.first_text(),
                               problems_.empty() && !comparing_ ? plan_.get() : nullptr, shown_));
    wire_.say(everyone, frame_text(recipe), "recipe");
  }

  const char* state() const {
    if (!clashes_.empty()) return "conflict";
    if (!file_ || document_.text() != file_->text()) return save_at_ ? "saving" : "unsaved";
    return "saved";
  }

  /// After an edit; it is saved when the hand has left.
  Answer edited() {
    if (file_ && clashes_.empty() && !document_.is_held()) save_at_ = Clock::now() + until_save;
    refresh();
    return Ordered::object();
  }

  Answer set(const Request& request) {
    const bool hold = request.flag("hold");
    document_.set(request.text("path"), request.raw("value"), hold);
    if (hold) {
      save_at_.reset();
      work_.hold(true);
    }
    return edited();
  }

  Answer release(const Request&) {
    let_go();
    return Ordered::object();
  }

  void let_go() {
    const bool was_held = document_.is_held();
    document_.release();
    work_.hold(false);
    if (!was_held) return;
    if (file_ && clashes_.empty()) save_at_ = Clock::now() + until_save;
    say_recipe();
  }

  Answer reset(const Request& request) {
    document_.reset(request.text("path"));
    return edited();
  }

  Answer undo(const Request&) {
    if (!document_.undo()) refuse("there is nothing to undo");
    return edited();
  }
  Answer redo(const Request&) {
    if (!document_.redo()) refuse("there is nothing to do again");
    return edited();
  }
  Answer go_to(const Request& request) {
    document_.go_to(request.integer("step", 0, std::ssize(document_.labels())));
    return edited();
  }

  Answer compare(const Request& request) {
    comparing_ = request.flag("on");
    refresh();
    return Ordered::object();
  }

  Answer open(const Request& request) {
    const Preset& preset = require_preset(request.text("preset"));
    flush();
    document_ = Document(recipe_source(preset.name));
    preset_ = &preset;
    file_.reset();
    clashes_.clear();
    shown_.clear();
    layer_.clear();
    overlay_.clear();
    sun_.reset();
    plan_.reset();
    comparing_ = false;
    return edited();
  }

  // What is seen of it.

  Answer show(const Request& request) {
    const std::string node = request.text("node"), layer = request.text_or_none("layer");
    if (!plan_ || plan_->find_node(node) < 0) refuse(fmt::format("there is no node '{}'", node));
    shown_ = node;
    overlay_ = layer_ = layer;
    work_.show(plan_, view());
    say_recipe();
    return Ordered::object();
  }

  Answer overlay(const Request& request) {
    const std::string layer = request.text_or_none("layer"), map = request.text_or_none("colour_map");
    const std::vector<std::string>& maps = colour_map_names();
    const auto found = std::ranges::find(maps, map);
    if (!map.empty() && found == maps.end()) refuse(fmt::format("there is no colour map '{}'", map));
    colour_map_ = map.empty() ? ColourMap::by_layer : static_cast<ColourMap>(found - maps.begin());
    overlay_ = layer;
    work_.overlay(overlay_, colour_map_);
    return Ordered::object();
  }

  Answer light(const Request& request) {
    sun_ = Sun{request.number("azimuth"), request.number("elevation")};
    work_.relight(*sun_);
    return Ordered::object();
  }

  Answer stop(const Request&) {
    work_.stop();
    return Ordered::object();
  }

  Answer pause(const Request& request) {
    work_.pause(request.flag("on"));
    say_recipe();
    return Ordered::object();
  }

  // The file.

  Answer save(const Request& request) {
    const std::string name = request.text_or_none("name");
    if (name.empty() && !file_) refuse("the recipe has no file yet", "give it a name");
    if (!clashes_.empty()) refuse("the file has been changed by somebody else", "choose one of the two first");
    if (!name.empty()) save_as(name);
    save_now();
    return {{"file", file_->shown()}};
  }

  void save_as(const std::string& name) {
    RecipeFile made = RecipeFile::create(folder_, name, document_.text());
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
    refresh();
  }

  /// Before something else is opened.
  void flush() {
    if (file_ && clashes_.empty() && document_.text() != file_->text()) save_now();
  }

  void save_now() {
    save_at_.reset();
    if (!file_ || !clashes_.empty()) return;
    try {
      take_theirs();
      if (!clashes_.empty()) return;
      if (document_.text() != file_->text()) file_->save(document_.text());
    } catch (const Error& error) {
      say_failed(error);
    }
    say_recipe();
  }

  /// What somebody else has done to the file comes into the document, or asks which of the two it is to be.
  void take_theirs() {
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
    Ordered places = Ordered::array();
    for (const Clash& clash : clashes_)
      places.push_back(
          {{"path", fmt::format("{}", fmt::join(clash.path, "."))}, {"mine", clash.mine}, {"theirs", clash.theirs}});
    wire_.say(everyone, frame_text({{"say", "conflict"}, {"places", places}}), "conflict");
  }

  /// At the file, now and then.
  void look() {
    look_at_ = Clock::now() + between_looks;
    if (!file_ || !clashes_.empty() || save_at_ || document_.is_held() || file_->is_untouched()) return;
    try {
      take_theirs();
      if (!clashes_.empty() || document_.text() == file_->text()) return say_recipe();
      save_at_ = Clock::now() + until_save;
    } catch (const Error& error) {
      say_failed(error);
    }
  }

  void say_failed(const Error& error) {
    Ordered failed{{"say", "failed"}};
    failed.update(error_json(error));
    wire_.say(everyone, frame_text(failed), "failed");
  }

  const StudioOptions& options_;
  const Context& context_;
  Tasks tasks_;
  Document document_;
  std::optional<RecipeFile> file_;
  const Preset* preset_ = nullptr;
  std::string folder_;
  std::vector<Clash> clashes_;
  std::string theirs_;
  std::optional<Clock::time_point> save_at_;
  Clock::time_point look_at_ = Clock::now() + between_looks;

  std::shared_ptr<const Plan> plan_;
  std::vector<Error> problems_;
  std::string shown_, layer_, overlay_;
  ColourMap colour_map_ = ColourMap::by_layer;
  std::optional<Sun> sun_;
  Sun recipe_sun_;
  bool comparing_ = false;

  Wire wire_;
  LandWork work_;
};

}  // namespace

void run_studio(const StudioOptions& options, const Context& context) { Studio(options, context).run(); }

}  // namespace tepui::studio
