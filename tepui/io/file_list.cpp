#include "tepui/io/file_list.h"

namespace tepui {

Hash FileList::hash() const {
  Hasher hasher;
  hasher.add("files");
  for (const FileRecord& record : records_) hasher.add(record_text(record));
  return hasher.finish();
}

}  // namespace tepui
