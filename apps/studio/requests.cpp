// What pages may ask for.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "apps/studio/exports.h"
#include "apps/studio/probe.h"
#include "apps/studio/server.h"
#include "apps/studio/still.h"
#include "tepui/core/colour_map.h"
#include "tepui/output/recipe_source.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

constexpr size_t most_corners = 64;
constexpr int64_t most_section_samples = 4096;

/// Has the desktop open a folder; it is in no shell's hands.
void open_in_desktop(std::string folder) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
  std::string program = "xdg-open";
  char* words[] = {program.data(), folder.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &quiet, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) refuse("this desktop cannot open folders");
}

std::vector<Vec2> line_of(const Request& request) {
  std::vector<Vec2> line;
  for (const Json& point : request.member("line").items) {
    if (!point.is_array() || point.items.size() != 2 || !point.items[0].is_number() || !point.items[1].is_number())
      refuse("'line' is a list of [x, y]");
    line.push_back({point.items[0].number, point.items[1].number});
  }
  if (line.size() < 2 || line.size() > most_corners) refuse(fmt::format("'line' has 2 to {} points", most_corners));
  return line;
}

}  // namespace

const std::map<std::string, Server::Do>& Server::verbs() {
  static const std::map<std::string, Do> all{{"set", &Server::set},
                                             {"release", &Server::release},
                                             {"reset", &Server::reset},
                                             {"undo", &Server::undo},
                                             {"redo", &Server::redo},
                                             {"goto", &Server::go_to},
                                             {"compare", &Server::compare},
                                             {"open", &Server::open},
                                             {"save", &Server::save},
                                             {"resolve", &Server::resolve},
                                             {"add", &Server::add},
                                             {"insert", &Server::insert},
                                             {"connect", &Server::connect},
                                             {"remove", &Server::remove},
                                             {"duplicate", &Server::duplicate},
                                             {"rename", &Server::rename},
                                             {"group", &Server::group},
                                             {"place", &Server::place},
                                             {"show", &Server::show},
                                             {"overlay", &Server::overlay},
                                             {"light", &Server::light},
                                             {"stop", &Server::stop},
                                             {"pause", &Server::pause},
                                             {"stroke", &Server::stroke},
                                             {"strokes", &Server::strokes},
                                             {"unstroke", &Server::unstroke},
                                             {"point", &Server::point},
                                             {"section", &Server::section},
                                             {"still", &Server::still},
                                             {"still_stop", &Server::still_stop},
                                             {"targets", &Server::targets},
                                             {"export", &Server::export_files},
                                             {"folder", &Server::open_folder},
                                             {"one_liner", &Server::line},
                                             {"receive", &Server::receive},
                                             {"received", &Server::received}};
  return all;
}

// Edits.

std::optional<Server::Answer> Server::set(Peer, const Request& request) {
  const bool hold = request.flag("hold");
  const std::string name = request.text("path"), value = request.raw("value");
  // Text may name a file.
  if (value.find('"') != std::string::npos) {
    Source changed = document_.source();
    changed.text = spliced(changed.text, set_value(changed, path_of_name(parse_json(changed), name), value));
    require_files_inside(changed);
  }
  document_.set(name, value, hold);
  if (hold) hold_on();
  return edited();
}

std::optional<Server::Answer> Server::release(Peer, const Request&) {
  let_go();
  return Ordered::object();
}

std::optional<Server::Answer> Server::reset(Peer, const Request& request) {
  const std::string name = request.text("path");
  Source changed = document_.source();
  changed.text = spliced(changed.text, remove_value(changed, path_of_name(parse_json(changed), name)));
  require_files_inside(changed);
  document_.reset(name);
  return edited();
}

std::optional<Server::Answer> Server::undo(Peer, const Request&) {
  if (!document_.undo()) refuse("there is nothing to undo");
  return edited();
}

std::optional<Server::Answer> Server::redo(Peer, const Request&) {
  if (!document_.redo()) refuse("there is nothing to do again");
  return edited();
}

std::optional<Server::Answer> Server::go_to(Peer, const Request& request) {
  document_.go_to(request.integer("step", 0, std::ssize(document_.labels())));
  return edited();
}

std::optional<Server::Answer> Server::compare(Peer, const Request& request) {
  comparing_ = request.flag("on");
  refresh();
  return Ordered::object();
}

std::optional<Server::Answer> Server::open(Peer, const Request& request) {
  const Preset& preset = require_preset(request.text("preset"));
  save_now();
  document_ = Document(recipe_source(preset.name));
  brush_after_.clear();
  stroke_disk_ = std::make_unique<StrokeDisk>(folder_);
  preset_ = &preset;
  file_.reset();
  save_at_.reset();
  clashes_.clear();
  shown_.clear();
  layer_.clear();
  overlay_.clear();
  sun_.reset();
  plan_.reset();
  comparing_ = false;
  work_.begin_anew();
  return edited();
}

std::optional<Server::Answer> Server::save(Peer, const Request& request) {
  const std::string wanted = request.text_or_none("name");
  if (wanted.empty() && !file_) refuse("the recipe has no file yet", "give it a name");
  if (!clashes_.empty()) refuse("the file has been changed by somebody else", "choose one of the two first");
  if (!wanted.empty()) save_as(wanted);
  save_now();
  return Ordered{{"file", file_->shown()}};
}

std::optional<Server::Answer> Server::resolve(Peer, const Request& request) {
  if (clashes_.empty()) refuse("there is nothing to choose");
  const std::string take = request.text("take");
  if (take != "mine" && take != "theirs") refuse("'take' is mine or theirs");
  clashes_.clear();
  if (take == "theirs") document_.replace("changed outside", theirs_);
  return edited();
}

// What is seen.

std::optional<Server::Answer> Server::show(Peer, const Request& request) {
  const std::string node = request.text("node"), layer = request.text_or_none("layer");
  for (const Error& problem : unfinished_)
    if (problem.place().node == node) throw Error(problem);
  if (!plan_ || plan_->find_node(node) < 0) refuse(fmt::format("there is no node '{}'", node));
  shown_ = node;
  overlay_ = layer_ = layer;
  work_.show(plan_, view());
  say_recipe();
  return Ordered::object();
}

std::optional<Server::Answer> Server::overlay(Peer, const Request& request) {
  const std::string layer = request.text_or_none("layer"), map = request.text_or_none("colour_map");
  const std::vector<std::string>& maps = colour_map_names();
  const auto found = std::ranges::find(maps, map);
  if (!map.empty() && found == maps.end()) refuse(fmt::format("there is no colour map '{}'", map));
  colour_map_ = map.empty() ? ColourMap::by_layer : static_cast<ColourMap>(found - maps.begin());
  overlay_ = layer;
  work_.overlay(overlay_, colour_map_);
  return Ordered::object();
}

std::optional<Server::Answer> Server::light(Peer, const Request& request) {
  sun_ = Sun{request.number("azimuth"), request.number("elevation")};
  work_.relight(*sun_);
  return Ordered::object();
}

std::optional<Server::Answer> Server::stop(Peer, const Request&) {
  work_.stop();
  still_.stop();
  exports_.stop();
  return Ordered::object();
}

std::optional<Server::Answer> Server::pause(Peer, const Request& request) {
  work_.pause(request.flag("on"));
  say_recipe();
  return Ordered::object();
}

std::optional<Server::Answer> Server::point(Peer peer, const Request& request) {
  const Vec2 at{request.number("x"), request.number("y")};
  answer_later(probes_, peer, request,
               [shown = work_.snapshot(), at](const Context& context) { return probe_point(shown, at, context); });
  return std::nullopt;
}

std::optional<Server::Answer> Server::section(Peer peer, const Request& request) {
  const int64_t samples = request.integer("samples", 2, most_section_samples);
  answer_later(probes_, peer, request,
               [shown = work_.snapshot(), line = line_of(request), samples](const Context& context) {
                 return probe_section(shown, line, samples, context);
               });
  return std::nullopt;
}

std::optional<Server::Answer> Server::still(Peer, const Request& request) {
  StillJob job{work_.generation(), work_.snapshot(), {}};
  job.picture = still_picture(*job.shown.plan, job.shown.node, request);
  still_.start(
      job.generation, [job](FrameSink& sink, const Context& context) { send_still(job, sink, context); },
      [this](uint64_t, const std::optional<Error>& error) {
        if (error) tasks_.post([this, error] { say_failed(*error); });
      });
  return Ordered::object();
}

std::optional<Server::Answer> Server::still_stop(Peer, const Request&) {
  still_.stop();
  return Ordered::object();
}

// What goes out and comes in.

std::optional<Server::Answer> Server::targets(Peer, const Request&) { return Ordered{{"targets", export_targets()}}; }

std::optional<Server::Answer> Server::export_files(Peer peer, const Request& request) {
  ExportJob job{document_.source(),
                shown_,
                request.text("target"),
                request.integer("size", 2, 16385),
                folder_,
                stroke_lines_.of(document_.source().name, document_.strokes())};
  // Named so that a page cannot choose where it leads.
  last_export_ = (fs::path(folder_) / "exports").string();
  answer_later(exports_, peer, request, [this, job, sink = export_progress()](const Context& context) {
    ValueCache cache(size_t{1} << 28, options_.cache);
    return export_land(job, cache, context.told_to(sink.get()));
  });
  return std::nullopt;
}

std::optional<Server::Answer> Server::open_folder(Peer, const Request&) {
  if (last_export_.empty() || !fs::is_directory(last_export_)) refuse("nothing has been exported yet");
  open_in_desktop(last_export_);
  return Ordered::object();
}

std::optional<Server::Answer> Server::line(Peer, const Request&) {
  return Ordered{{"text", studio::one_liner(document_.source(), shown_)}};
}

std::optional<Server::Answer> Server::receive(Peer, const Request& request) {
  return Ordered{{"file", uploads_->begin(request.text("name"), request.integer("bytes", 1, int64_t{1} << 40))}};
}

std::optional<Server::Answer> Server::received(Peer peer, const Request& request) {
  const int64_t file = request.integer("file", 1, int64_t{1} << 40);
  const std::string own = uploads_->name_of(file);
  std::vector<std::string> words;
  if (const Json* answers = request.body.find("answers"))
    for (const JsonMember& member : answers->members) {
      const Json& value = member.value;
      words.push_back(member.key + "=" + (value.is_string() ? value.text : json_text(value)));
    }
  answer_later(probes_, peer, request,
               [this, file, own, words, path = (fs::path(folder_) / own).string()](const Context& context) {
                 const Ordered asks = questions_about(path, words, context);
                 if (asks.empty())
                   tasks_.post([this, file, own, words] {
                     uploads_->forget(file);
                     take_upload(own, words);
                   });
                 return Ordered{{"asks", asks}};
               });
  return std::nullopt;
}

/// A file that can be read becomes a node, which is shown.
void Server::take_upload(const std::string& file, const std::vector<std::string>& words) {
  try {
    std::string node = fs::path(file).stem().string();
    for (char& c : node)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    if (node.empty() || std::isdigit(static_cast<unsigned char>(node.front()))) node = "land_" + node;
    const Json document = parse_json(document_.source());
    const Json* nodes = document.find("nodes");
    std::string own = node;
    for (int copy = 2; nodes != nullptr && nodes->find(own) != nullptr; ++copy) own = fmt::format("{}_{}", node, copy);
    Ordered value{{"op", "read"}, {"file", file}};
    for (const std::string& word : words) {
      const size_t equals = word.find('=');
      value[word.substr(0, equals)] = Ordered::parse(value_of_word(word.substr(equals + 1)));
    }
    const std::string text = spliced(document_.text(), set_value(document_.source(), {"nodes", own}, value.dump()));
    document_.replace("dropped " + own, text);
    shown_ = own;
    edited();
  } catch (const std::exception& error) {
    say_failed(Error(ErrorKind::failure, error.what()));
  }
}

}  // namespace tepui::studio
