#include "tepui/output/output.h"

namespace tepui {

std::vector<Reference> Output::sources() const {
  std::vector<Reference> list = timelapse ? timelapse->frames : std::vector<Reference>();
  if (!sheet && !timelapse) list.push_back(from);
  if (sheet)
    for (const Panel& panel : sheet->panels) {
      list.push_back(panel.from);
      if (panel.rock) list.push_back(*panel.rock);
      if (panel.rivers) list.push_back(*panel.rivers);
      if (panel.along) list.push_back(*panel.along);
      list.insert(list.end(), panel.scatter.begin(), panel.scatter.end());
    }
  if (rock) list.push_back(*rock);
  if (rivers) list.push_back(*rivers);
  if (along) list.push_back(*along);
  list.insert(list.end(), scatter.begin(), scatter.end());
  list.insert(list.end(), view.begin(), view.end());
  return list;
}

std::vector<std::string> Output::files() const {
  if (render) return picture_files(name, *render);
  return is_shown() ? std::vector<std::string>{name} : output_files(name, options);
}

}  // namespace tepui
