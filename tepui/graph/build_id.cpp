#include "tepui/graph/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>

#include "tepui/core/version.h"

namespace tepui {

namespace {

struct Search {
  ElfW(Addr) address = 0;  ///< in the object that is looked for
  Hasher hasher;
};

bool holds(const dl_phdr_info& object, ElfW(Addr) address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& part = object.dlpi_phdr[i];
    const ElfW(Addr) first = object.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= first && address - first < part.p_memsz) return true;
  }
  return false;
}

/// Adds the descriptor of every note called GNU of that type: there is one at most.
void add_notes(const char* notes, size_t bytes, Hasher& hasher) {
  const auto padded = [](size_t size) { return (size + 3) & ~size_t{3}; };
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof head);
    const size_t name = sizeof head, content = name + padded(head.n_namesz), end = content + padded(head.n_descsz);
    if (end > bytes) return;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0)
      hasher.add(std::string_view(notes + content, head.n_descsz));
    notes += end;
    bytes -= end;
  }
}

int visit(dl_phdr_info* object, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!holds(*object, search.address)) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      add_notes(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_filesz, search.hasher);
  }
  return 1;
}

}  // namespace

Hash build_id() {
  Search search;
  search.address = reinterpret_cast<ElfW(Addr)>(&build_id);
  search.hasher.add(version);
  dl_iterate_phdr(visit, &search);
  return search.hasher.finish();
}

}  // namespace tepui
