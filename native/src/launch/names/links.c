/* Finds other names of protected or hidden files, because a write through one name changes the file for all. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "links.h"
#include "../../kernel.h"
#include "../paths/sight.h"
#include "../plan/hit.h"
#include "../report/fail.h"
#include "listing.h"
#include "names.h"

struct search {
  const struct plan *plan;
  unsigned root;
  const struct list *files; /* of struct linked, in order */
  struct list *hits;
  bool numbered; /* the entries of a directory have the inode numbers that stat reports */
  struct listing *listing;
  char path[4096];
};

static int search_directory(struct search *search, int fd, size_t length, int depth);

static int compare_linked(const void *a, const void *b) {
  const struct linked *x = a, *y = b;
  if (x->inode != y->inode) return x->inode < y->inode ? -1 : 1;
  return x->device == y->device ? 0 : x->device < y->device ? -1 : 1;
}

static int compare_inode(const void *a, const void *b) {
  const struct linked *x = a, *y = b;
  return x->inode == y->inode ? 0 : x->inode < y->inode ? -1 : 1;
}

/* Keeps one entry for each file. Files of which every name was found are removed. */
static void merge(struct list *files) {
  size_t kept = 0;
  if (files->count) qsort(files->items, files->count, sizeof(struct linked), compare_linked);
  for (size_t i = 0, next; i < files->count; i = next) {
    struct linked file = LIST_AT(*files, struct linked, i);
    for (next = i + 1; next < files->count && compare_linked(&file, &LIST_AT(*files, struct linked, next)) == 0; next++) {
      const struct linked *same = &LIST_AT(*files, struct linked, next);
      file.names += same->names;
      if (same->effect > file.effect) file.effect = same->effect;
    }
    if (file.names < file.links) LIST_AT(*files, struct linked, kept++) = file;
  }
  files->count = kept;
}

void find_other_names(const struct plan *plan, const int *root_fds, struct findings *found) {
  merge(&found->linked);
  if (found->linked.count == 0) return;
  struct search *search = calloc(1, sizeof *search);
  if (!search) fail("memory", "", ENOMEM);
  *search = (struct search){.plan = plan, .files = &found->linked, .hits = &found->hits, .listing = &found->listing};
  for (unsigned i = 0; i < plan->roots.count; i++) {
    search->root = i;
    int fd = openat(root_fds[i], ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct statfs system;
    search->numbered = fd >= 0 && fstatfs(fd, &system) == 0 && system.f_type != K_OVERLAYFS;
    int error = fd < 0 ? errno : search_directory(search, fd, 0, 0);
    if (error && !(error == EACCES && is_shown_root(plan, i))) fail("look for other names", LIST_AT(plan->roots, const char *, i), error);
  }
  free(search);
}

/* Covered by its own name, or below a directory that is read-only or hidden as a whole. */
static bool is_covered(const struct search *search) {
  for (size_t i = 0; i < search->hits->count; i++) {
    const struct hit *hit = &LIST_AT(*search->hits, struct hit, i);
    size_t length = strlen(hit->path);
    if (hit->root != search->root || strncmp(hit->path, search->path, length) != 0) continue;
    if (search->path[length] == 0 || (search->path[length] == '/' && hit->effect != EFFECT_PINNED)) return true;
  }
  return false;
}

static int consider(struct search *search, int parent, const struct k_linux_dirent64 *entry) {
  struct linked key = {.inode = entry->ino};
  struct sight sight;
  if (search->numbered && !bsearch(&key, search->files->items, search->files->count, sizeof key, compare_inode)) return 0;
  if (!look_at(parent, entry->name, AT_SYMLINK_NOFOLLOW, &sight)) return errno == ENOENT ? 0 : errno;
  key.device = sight.is.device;
  key.inode = sight.is.inode;
  const struct linked *file = bsearch(&key, search->files->items, search->files->count, sizeof key, compare_linked);
  if (!file || !S_ISREG(sight.mode) || is_covered(search)) return 0;
  if (is_released(search->plan, search->root, search->path) || (is_shown_root(search->plan, search->root) && file->effect != EFFECT_HIDDEN)) return 0;
  struct hit *hit = list_push(search->hits, sizeof *hit);
  *hit = (struct hit){.root = search->root, .effect = file->effect, .unpinned = true, .is = sight.is, .path = strdup(search->path)};
  return hit->path ? 0 : ENOMEM;
}

/* A directory that cannot be entered here is already a hit of the first search, and read-only. */
static int search_entry(struct search *search, int parent, const struct k_linux_dirent64 *entry, size_t length, int depth) {
  const char *name = entry->name;
  if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) return 0;
  size_t name_length = strlen(name);
  if (length + name_length + 2 > sizeof search->path) return 0;
  memcpy(search->path + length, name, name_length + 1);
  if (entry->type == DT_REG || entry->type == DT_UNKNOWN) {
    int error = consider(search, parent, entry);
    if (error) return error;
  }
  if ((entry->type != DT_DIR && entry->type != DT_UNKNOWN) || depth >= MAX_DEPTH) return 0;
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || faccessat(fd, ".", X_OK, AT_EACCESS)) {
    int error = errno;
    if (fd >= 0) close(fd);
    return error == ENOENT || error == ENOTDIR || error == ELOOP || error == EACCES ? 0 : error;
  }
  search->path[length + name_length] = '/';
  return search_directory(search, fd, length + name_length + 1, depth + 1);
}

static int search_directory(struct search *search, int fd, size_t length, int depth) {
  int error = 0;
  while (!error) {
    long got = read_entries(search->listing, depth, fd);
    if (got < 0) error = errno;
    if (got <= 0) break;
    for (long at = 0; at < got && !error;) {
      const struct k_linux_dirent64 *entry = (const void *)(search->listing->buffer[depth] + at);
      at += entry->reclen;
      error = search_entry(search, fd, entry, length, depth);
    }
  }
  close(fd);
  return error;
}
