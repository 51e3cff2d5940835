// run --watch: a recipe runs again when it is saved.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "apps/tepui/build_commands.h"
#include "apps/tepui/failure.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/graph/session.h"
#include "tepui/recipe/presets.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

/// Looking is cheap, and sees what editors do that write another file and rename it.
constexpr auto between_looks = std::chrono::milliseconds(120);

/// Enough of a file to see that it is another one now; zeros where there is none.
struct Stamp {
  uint64_t inode = 0;
  int64_t bytes = 0, seconds = 0, nanoseconds = 0;
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

Stamp stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

using Stamps = std::map<std::string, Stamp>;

std::string full_path(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  return (error ? path : full).lexically_normal().string();
}

/// The files that a recipe's result depends on: itself, those its nodes read, and what lies beside those and tells of
/// them (land.hdr beside land.bil, Tepui's manifests). Not the files that the recipe writes.
class Watched {
 public:
  explicit Watched(const std::string& recipe) : recipe_(full_path(recipe)) {}

  void follow(const Plan& recipe, const std::string& folder) {
    read_.clear();
    written_.clear();
    for (const Node& node : recipe.nodes)
      for (const ParamValue& value : node.params)
        if (const FilePath* file = std::get_if<FilePath>(&value); file != nullptr && !file->path.empty())
          read_.insert(full_path(file->path));
    for (const Output& output : recipe.outputs)
      for (const std::string& name : output.files()) {
        const fs::path file = fs::path(folder) / name;
        // With what some formats put beside them.
        for (const fs::path& path : {file, fs::path(file.string() + ".hdr"), fs::path(file).replace_extension(".prj")})
          written_.insert(full_path(path));
      }
    written_.insert(full_path(fs::path(folder) / (recipe.name + ".manifest.json")));
  }

  Stamps look() const {
    Stamps stamps;
    for (const std::string& file : read_) {
      add(stamps, file);
      add_companions(stamps, file);
    }
    stamps[recipe_] = stamp_of(recipe_);
    return stamps;
  }

  const std::string& recipe() const { return recipe_; }

 private:
  void add(Stamps& stamps, const std::string& path) const {
    if (!written_.contains(path)) stamps[path] = stamp_of(path);
  }

  void add_companions(Stamps& stamps, const fs::path& file) const {
    constexpr int most_levels = 3, most_entries = 4096;
    const std::string stem = file.stem().string() + ".";
    fs::path folder = file.parent_path();
    for (int level = 0; level <= most_levels; ++level, folder = folder.parent_path()) {
      std::error_code error;
      int left = most_entries;
      for (fs::directory_iterator entry(folder, error), end; !error && entry != end && left > 0;
           entry.increment(error), --left) {
        const std::string name = entry->path().filename().string();
        if ((level == 0 && name.starts_with(stem)) || name.ends_with(".manifest.json"))
          add(stamps, entry->path().string());
      }
      if (folder == folder.parent_path()) return;
    }
  }

  std::string recipe_;
  std::set<std::string> read_, written_;
};

/// Returns once the files differ and have come to rest, the recipe among them.
void wait_for_change(const Watched& watched, const Stamps& before, const Context& user) {
  Stamps last = before;
  for (;;) {
    user.check();
    Stamps now = watched.look();
    const bool rests = now == last;
    last = std::move(now);
    if (rests && last != before && last.at(watched.recipe()) != Stamp()) return;
    std::this_thread::sleep_for(between_looks);
  }
}

std::string list_text(const std::vector<std::string>& names) {
  constexpr size_t most = 8;
  if (names.empty()) return "nothing";
  const size_t shown = std::min(names.size(), most);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(shown), ", "));
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

void print_again(const Build& built) {
  std::vector<std::string> computed, written;
  for (const NodeReport& node : built.nodes)
    if (!node.cached) computed.push_back(node.name);
  for (const BuiltFile& file : built.files)
    if (!file.kept) written.push_back(file.path);
  fmt::print("updated in {:.2f} s: computed {}; wrote {}\n", built.seconds, readable(list_text(computed)),
             readable(list_text(written)));
}

void print_result(const Plan& recipe, const Build& built, bool first, const Invocation& call) {
  if (call.quiet && !call.json) return;
  if (call.json)
    print_json(build_json(recipe, built), true);
  else if (first)
    print_build(recipe, built);
  else
    print_again(built);
}

/// Passes what a session tells on to the sink of the build that it works for.
class BuildEvents : public SessionEvents {
 public:
  /// From now on; none: what is told is for nobody.
  void tell(ProgressSink* sink) {
    const std::lock_guard lock(mutex_);
    sink_ = sink;
  }
  void known(const SessionNode& node, const NodeFacts&, bool) override { pass(node, {}, 1); }
  void progress(const SessionNode& node, const std::string& stage, double fraction) override {
    pass(node, stage, fraction);
  }
  void warned(const SessionNode&, const std::string& message) override {
    const std::lock_guard lock(mutex_);
    if (sink_ != nullptr) sink_->warn(message);
  }

 private:
  void pass(const SessionNode& node, const std::string& stage, double fraction) {
    const std::lock_guard lock(mutex_);
    if (sink_ != nullptr) sink_->progress(node.node, stage, fraction);
  }

  std::mutex mutex_;
  ProgressSink* sink_ = nullptr;
};

/// Runs and waits in turn. A save in the middle of a run stops only what it made stale.
class Watcher {
 public:
  Watcher(const RunOptions& options, const Invocation& call)
      : options_(options),
        call_(call),
        watched_(options.recipe),
        disk_(open_cache(call.cache)),
        cache_(physical_memory() / 4, disk_.get()),
        session_(cache_, events_, {.preview = 0}) {}

  [[noreturn]] void loop() {
    for (bool told = call_.json || call_.quiet;; told = true) {
      const Stamps began_with = run_once();
      if (!told) tell(fmt::format("watching {}; press Ctrl-C to stop\n", options_.recipe));
      if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail("cannot write to standard output");
      wait_for_change(watched_, began_with, call_.context);
    }
  }

 private:
  /// Returns the stamps of what the run began with.
  Stamps run_once() {
    Stamps before = watched_.look();
    try {
      const Stamp saved = stamp_of(watched_.recipe());
      const auto recipe = std::make_shared<const Plan>(open_recipe_to_run(options_));
      watched_.follow(*recipe, options_.folder);
      before = watched_.look();
      before[watched_.recipe()] = saved;
      const Build built = build_live(recipe, before);
      print_result(*recipe, built, first_, call_);
      first_ = false;
    } catch (const Error& error) {
      call_.progress.end();
      call_.context.check();
      // A run that was overtaken by the next save says nothing.
      if (error.kind() != ErrorKind::cancelled) report_failure(error, call_.json, {}, true);
    } catch (const std::bad_alloc&) {
      call_.progress.end();
      report_failure(Error(ErrorKind::failure, "out of memory", "lower the resolution"), call_.json, {}, true);
    }
    return before;
  }

  Build build_live(const std::shared_ptr<const Plan>& recipe, const Stamps& before) {
    BuildOptions how{options_.only};
    if (!options_.window.empty()) how.window = parse_window(options_.window);
    for (const std::string& warning : recipe->warnings) call_.context.warn(warning);
    call_.progress.begin(build_tasks(*recipe));
    Build built = build(recipe, options_.folder, how, cache_, call_.context,
                        [&](const SharedGraph& graph, const std::vector<int>& wanted, const Context& context,
                            const ValueNeed&) { return computed(graph, wanted, context, before); });
    call_.progress.end();
    return built;
  }

  /// Ends early once the files change or the user says so; what is being computed goes on until it is known whether the
  /// next run needs it.
  Evaluation computed(const SharedGraph& graph, const std::vector<int>& wanted, const Context& context,
                      const Stamps& before) {
    std::vector<Look> looks;
    for (const int node : wanted) looks.push_back({node, {}, false});
    events_.tell(context.sink());
    const std::shared_ptr<void> silence(nullptr, [this](void*) { events_.tell(nullptr); });
    session_.show(graph, std::move(looks));
    while (!session_.wait_for(between_looks)) {
      context.check();
      if (watched_.look() != before) throw Error(ErrorKind::cancelled, "superseded by another save");
    }
    return session_.evaluation();
  }

  const RunOptions& options_;
  const Invocation& call_;
  Watched watched_;
  std::unique_ptr<DiskCache> disk_;
  ValueCache cache_;
  BuildEvents events_;
  Session session_;
  bool first_ = true;
};

}  // namespace

void watch(const RunOptions& options, const Invocation& call) {
  if (!fs::is_regular_file(options.recipe)) {
    if (find_preset(options.recipe) != nullptr)
      refuse(fmt::format("'{}' is a preset; only a file can be watched", options.recipe),
             fmt::format("copy it to a file first: tepui new {0} -o {0}.json", options.recipe));
    open_recipe_to_run(options);  // says what is wrong with the name
    refuse(fmt::format("'{}' is not a file", options.recipe));
  }
  Watcher(options, call).loop();
}

}  // namespace tepui::app
