#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/studio/document.h"
#include "apps/studio/errands.h"
#include "apps/studio/land_work.h"
#include "apps/studio/own_file.h"
#include "apps/studio/request.h"
#include "apps/studio/stroke_disk.h"
#include "apps/studio/stroke_edits.h"
#include "apps/studio/stroke_graph.h"
#include "apps/studio/studio.h"
#include "apps/studio/tasks.h"
#include "apps/studio/uploads.h"
#include "apps/studio/wire.h"
#include "tepui/recipe/presets.h"

namespace tepui::studio {

/// What a studio does, in the thread that calls run(): keeps the recipe, hears what pages ask, and tells them what has
/// become of it.
class Server : private Listener {
 public:
  Server(const StudioOptions& options, const Context& context);
  ~Server() override;

  void run();

 private:
  using Answer = Ordered;
  /// None of what is answered later.
  using Do = std::optional<Answer> (Server::*)(Peer peer, const Request& request);

  // What pages say, in the wire's thread.
  void greeted(Peer peer, const std::string& key) override;
  void said(Peer peer, std::string text) override;
  void sent(Peer peer, std::string bytes) override;
  void left(Peer peer) override;

  void hear(Peer peer, std::string text);
  void answer(Peer peer, const std::optional<int64_t>& id, const Ordered& facts);
  /// Answers when the work is done.
  void answer_later(Errands& errands, Peer peer, const Request& request, Errands::Work work);
  std::shared_ptr<ProgressSink> export_progress();
  void welcome(Peer peer, const std::string& key);
  void say_recipe();
  void say_failed(const Error& error);
  static const std::map<std::string, Do>& verbs();

  // Edits.
  std::optional<Answer> set(Peer, const Request& request);
  std::optional<Answer> release(Peer, const Request& request);
  std::optional<Answer> reset(Peer, const Request& request);
  std::optional<Answer> undo(Peer, const Request& request);
  std::optional<Answer> redo(Peer, const Request& request);
  std::optional<Answer> go_to(Peer, const Request& request);
  std::optional<Answer> compare(Peer, const Request& request);
  std::optional<Answer> open(Peer, const Request& request);
  std::optional<Answer> save(Peer, const Request& request);
  std::optional<Answer> resolve(Peer, const Request& request);
  // The graph.
  std::optional<Answer> add(Peer, const Request& request);
  std::optional<Answer> insert(Peer, const Request& request);
  std::optional<Answer> connect(Peer, const Request& request);
  std::optional<Answer> remove(Peer, const Request& request);
  std::optional<Answer> duplicate(Peer, const Request& request);
  std::optional<Answer> rename(Peer, const Request& request);
  std::optional<Answer> group(Peer, const Request& request);
  std::optional<Answer> place(Peer, const Request& request);
  // Strokes.
  std::optional<Answer> stroke(Peer, const Request& request);
  std::optional<Answer> strokes(Peer, const Request& request);
  std::optional<Answer> unstroke(Peer, const Request& request);
  // What is seen.
  std::optional<Answer> show(Peer, const Request& request);
  std::optional<Answer> overlay(Peer, const Request& request);
  std::optional<Answer> light(Peer, const Request& request);
  std::optional<Answer> stop(Peer, const Request& request);
  std::optional<Answer> pause(Peer, const Request& request);
  std::optional<Answer> point(Peer peer, const Request& request);
  std::optional<Answer> section(Peer peer, const Request& request);
  std::optional<Answer> still(Peer, const Request& request);
  std::optional<Answer> still_stop(Peer, const Request& request);
  // What goes out and comes in.
  std::optional<Answer> targets(Peer, const Request& request);
  std::optional<Answer> export_files(Peer peer, const Request& request);
  std::optional<Answer> open_folder(Peer, const Request& request);
  std::optional<Answer> line(Peer, const Request& request);
  std::optional<Answer> receive(Peer, const Request& request);
  std::optional<Answer> received(Peer peer, const Request& request);
  void take_upload(const std::string& name, const std::vector<std::string>& words);

  std::string name() const;
  const char* state() const;
  View view() const { return {shown_, overlay_, colour_map_, sun_.value_or(recipe_sun_)}; }
  /// After whatever may have changed what is to be seen.
  void refresh();
  /// The plan of what is written, or of its finished part.
  std::optional<Plan> read_document();
  void choose_shown(const Plan* before);
  /// After an edit; it is saved when the hand has left.
  Answer edited();
  void let_go();
  void require_files_inside(const Source& source) const;

  /// The file that a node reads strokes from, by its name in `StrokeFiles`; refuses what is none.
  std::string require_stroke_file(const Graph& graph, const std::string& node) const;
  /// The strokes of a file as they are now, held or on disk. Refuses what is no file of plain strokes.
  std::shared_ptr<const StrokeFile> strokes_of(const std::string& file, const StrokeFiles& held);
  /// The same, which may be changed from now on.
  std::shared_ptr<const StrokeFile> keep_strokes(const std::string& file, StrokeFiles& held);
  std::string new_stroke_file(const std::string& node, const StrokeFiles& held) const;
  Ordered strokes_json();
  /// Those that the recipe names.
  StrokeFiles named_strokes() const;
  void hold_on();
  void save_strokes();
  void take_their_strokes();
  /// The recipe with names of its own for the files of strokes that another recipe has.
  void name_strokes();
  void name_strokes_anew(const std::string& recipe);

  void save_as(const std::string& name);
  void save_now();
  /// What somebody else has done to the file comes into the document, or asks which of the two it is to be.
  void take_theirs();
  void say_conflict();
  /// At the recipe's file and at those that its nodes read, now and then.
  void look();
  void look_at_recipe();
  void look_at_strokes();

  const StudioOptions& options_;
  const Context& context_;
  Tasks tasks_;
  Document document_;
  std::optional<OwnFile> file_;
  const Preset* preset_ = nullptr;
  std::string folder_, last_export_;
  std::vector<Clash> clashes_;
  std::string theirs_;
  std::optional<Clock::time_point> save_at_;
  Clock::time_point look_at_;
  StrokeLines stroke_lines_;
  Hash strokes_shown_;
  std::unique_ptr<StrokeDisk> stroke_disk_;
  std::map<std::string, std::string> brush_after_;  ///< the node that a brush's node was put after
  std::set<std::string> named_;                     ///< files of strokes that the recipe reads
  std::map<std::string, FileStamp> read_;           ///< the files that nodes read, as they were when they were shown

  std::shared_ptr<const Plan> plan_;
  std::vector<Error> problems_, unfinished_;  ///< what is wrong; what is wrong with nodes that nothing needs
  std::string shown_, layer_, overlay_;
  ColourMap colour_map_ = ColourMap::by_layer;
  std::optional<Sun> sun_;
  Sun recipe_sun_;
  bool comparing_ = false;

  const PageTable page_;
  Wire wire_;
  LandWork work_;
  std::unique_ptr<Uploads> uploads_;
  Painter still_;
  Errands probes_, exports_;  ///< end before what they read
};

}  // namespace tepui::studio
