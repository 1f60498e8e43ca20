/* Finds protected names below a root, by descriptors, so that a swapped directory cannot lead the walk elsewhere. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "scan.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../paths/source.h"
#include "closed.h"
#include "match.h"
#include "names.h"
#include "seen.h"

/* A directory that is walked. `length`: of its path, with a slash at the end. */
struct place {
  int fd, depth;
  size_t length;
  const struct states *states;
  enum zone zone;
  uint32_t next; /* where to look for the next of the directories that the first walk saw in it */
};

static int walk_directory(struct walk *walk, struct place *place);
static int walk_root(struct walk *walk, struct place *place);

/* Takes over `fd`. */
static int scan_from(struct walk walk, int fd) {
  if (fd < 0) return errno;
  struct states states = {0};
  struct place place = {.fd = fd, .states = &states};
  int error = enter_names(walk.plan, LIST_AT(walk.plan->roots, const char *, walk.root), &states, &place.zone);
  if (!error) return walk_root(&walk, &place);
  close(fd);
  return error;
}

/* Files that earlier commands wrote to a staged layer are not on the host (attack: an AGENTS.md for the next command). */
static int scan_layer(const struct plan *plan, unsigned root, const struct layer_directory *upper, struct findings *found) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), layer = open_layer(host, upper);
  struct walk walk = {.plan = plan, .root = root, .root_fd = layer, .hidden_only = true, .layer = true, .found = found, .covered = -1, .at = UNSEEN, .from = UNSEEN};
  int error = scan_from(walk, openat(layer, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  close(layer);
  close(host);
  return error;
}

int scan_root(const struct plan *plan, unsigned root, int root_fd, struct findings *found) {
  bool shown = is_shown_root(plan, root);
  struct walk walk = {.plan = plan, .root = root, .root_fd = root_fd, .hidden_only = shown, .found = found, .covered = -1, .at = UNSEEN, .from = UNSEEN};
  int error = scan_from(walk, open_searched(&walk, root_fd, "."));
  /* A directory that cannot be listed here cannot be listed in the box either. */
  if (shown && error == EACCES) error = 0;
  const struct layer_directory *upper = error || found->after ? NULL : staged_upper(plan, root);
  return upper ? scan_layer(plan, root, upper, found) : error;
}

/* Searches for hidden names only, in a directory that was moved into a root while a box runs. `path`: below the root,
 * with a leading slash. */
int scan_below(const struct plan *plan, unsigned root, int root_fd, const char *path, struct findings *found) {
  const char *root_path = LIST_AT(plan->roots, const char *, root);
  struct walk walk = {.plan = plan, .root = root, .root_fd = root_fd, .hidden_only = true, .found = found, .covered = -1, .at = UNSEEN, .from = UNSEEN};
  struct states states = {0};
  enum zone zone = ZONE_ORDINARY;
  char absolute[8300];
  int length = snprintf(walk.path, sizeof walk.path, "%s/", path + 1), depth = 0;
  if (snprintf(absolute, sizeof absolute, "%s%s", root_path[1] ? root_path : "", path) >= (int)sizeof absolute || length >= (int)sizeof walk.path) return ENAMETOOLONG;
  for (const char *at = path; *at; at++) depth += *at == '/';
  int fd = open_beneath(root_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), error = enter_names(plan, absolute, &states, &zone);
  if (fd < 0) return errno;
  if (!error && depth <= MAX_DEPTH) return walk_directory(&walk, &(struct place){fd, depth, (size_t)length, &states, zone, 0});
  close(fd);
  return error;
}

/* git's object directories hold only objects that are named by hash, and each repository has up to 256 of them. A link
 * count of two means that it contains no directory (attack: an additional git directory below .git/objects/ab). */
static bool holds_objects(const struct walk *walk, int parent, const char *entry, size_t length) {
  bool hexadecimal = isxdigit((uint8_t)entry[0]) && isxdigit((uint8_t)entry[1]) && entry[2] == 0;
  if (!hexadecimal || length < 13 || memcmp(walk->path + length - 13, ".git/objects/", 13) != 0) return false;
  struct stat st;
  return fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_nlink == 2;
}

static bool has(int directory, const char *entry) {
  return faccessat(directory, entry, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* git takes a directory with these entries for a repository, under any name (attack: an embedded bare repository). */
static bool is_git_directory(int fd) {
  return has(fd, "HEAD") && (has(fd, "commondir") || (has(fd, "objects") && has(fd, "refs")));
}

/* A directory that cannot be searched becomes a hit itself: read-only while the box runs, and quarantined if it is new.
 * Otherwise a tree that is too deep, a path that is too long, or a directory that may be entered but not listed would
 * hide its contents. `from`: its number, if an earlier walk saw it. */
static int descend(struct walk *walk, const struct place *above, const char *entry, struct place below, uint32_t from) {
  struct states states = *below.states;
  const uint32_t at = walk->at, above_from = walk->from;
  walk->path[below.length - 1] = 0;
  below.fd = open_searched(walk, above->fd, entry);
  int error = below.fd < 0 ? errno : below.depth >= MAX_DEPTH ? EMLINK : 0;
  walk->path[below.length - 1] = '/';
  if (!error && strcasecmp(entry, ".git") != 0 && is_git_directory(below.fd)) error = enter_git_names(walk->plan, &states);
  if (!error) {
    if (at != UNSEEN) walk->at = see(walk->found->seen, below.fd, entry, (struct inheritance){&states, below.states->count});
    walk->from = from;
    below.states = &states;
    error = walk_directory(walk, &below);
    walk->at = at;
    walk->from = above_from;
  } else if (below.fd >= 0) {
    close(below.fd);
  }
  if (error && error != ENOTDIR && at != UNSEEN) read_again(walk->found->seen, at);
  if (error == ENOENT || error == ENOTDIR || error == ELOOP) return 0;
  if (error != EACCES && error != EMLINK && error != ENAMETOOLONG && error != E2BIG) return error;
  walk->path[below.length - 1] = 0;
  errno = error;
  return add_closed(walk, above->fd, entry);
}

/* The directory `name` as the earlier walk saw it. Directories are read in almost the same order as then. */
static uint32_t known_below(const struct walk *walk, struct place *place, const char *name) {
  if (walk->from == UNSEEN) return UNSEEN;
  const struct seen *known = walk->found->known;
  const uint32_t first = walk->from + 1, start = place->next > first ? place->next : first;
  uint32_t number = find_seen(known, start, seen_at(known, walk->from)->end, name);
  if (number == UNSEEN) number = find_seen(known, first, start, name);
  if (number != UNSEEN) place->next = seen_at(known, number)->end;
  return number;
}

static bool inherits(const struct seen_directory *directory, const struct states *states) {
  return directory->inherited == states->count && memcmp(directory->states, states->item, states->count * sizeof *states->item) == 0;
}

static int walk_known(struct walk *walk, struct place place, uint32_t number);

/* Goes on below a directory. `place.length`: with its name and a slash. */
static int go_below(struct walk *walk, struct place *above, const char *name, struct place below) {
  uint32_t from = known_below(walk, above, name);
  if (from != UNSEEN) {
    const struct seen_directory *directory = seen_at(walk->found->known, from);
    walk->path[below.length - 1] = 0;
    enum sameness sameness = recognise(directory, walk->root_fd, walk->path);
    walk->path[below.length - 1] = '/';
    if (sameness == SAME && walk->covered < 0 && inherits(directory, below.states)) return walk_known(walk, below, from);
    if (sameness == OTHER) from = UNSEEN;
  }
  return descend(walk, above, name, below, from);
}

static int visit(struct walk *walk, struct place *place, const char *name, unsigned type) {
  if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) return 0;
  size_t length = place->length, name_length = strlen(name);
  if (length + name_length + 2 > sizeof walk->path) return ENAMETOOLONG;
  memcpy(walk->path + length, name, name_length + 1);
  struct states below;
  int error = match_entry(walk, place->fd, name, place->states, &below, place->zone), matched = walk->matched, covered = walk->covered;
  bool maybe_directory = type == DT_DIR || type == DT_UNKNOWN;
  bool maybe_socket = type == DT_SOCK || type == DT_UNKNOWN;
  if (!error && !walk->found->after && matched < 0 && (maybe_socket || (covered >= 0 && type == DT_REG))) look_closer(walk, place->fd, name);
  if (error) return error;
  if (type == DT_LNK || type == DT_UNKNOWN) {
    error = follow_names(walk, place->fd, name, length + name_length, &below);
    if (error) return error;
  }
  if (!maybe_directory) return 0;
  if (holds_objects(walk, place->fd, name, length)) {
    /* A directory in it changes its links, not the directory that is read here. */
    if (walk->at != UNSEEN) read_again(walk->found->seen, walk->at);
    return 0;
  }
  walk->path[length + name_length] = '/';
  if (matched > EFFECT_PINNED && matched > covered) walk->covered = matched;
  error = go_below(walk, place, name, (struct place){-1, place->depth + 1, length + name_length + 1, &below, zone_below(place->zone, name), 0});
  walk->covered = covered;
  walk->path[length + name_length] = 0;
  return error;
}

static int walk_directory(struct walk *walk, struct place *place) {
  int error = 0;
  while (!error) {
    long got = read_entries(&walk->found->listing, place->depth, place->fd);
    if (got < 0) error = errno;
    if (got <= 0) break;
    for (long at = 0; at < got && !error;) {
      const struct k_linux_dirent64 *entry = (const void *)(walk->found->listing.buffer[place->depth] + at);
      at += entry->reclen;
      error = visit(walk, place, entry->name, entry->type);
    }
  }
  close(place->fd);
  if (walk->at != UNSEEN) end_seeing(walk->found->seen, walk->at, error);
  return error;
}

/* Not in the caller, whose frames may be 512 deep. */
__attribute__((noinline)) static int open_place(const struct walk *walk, size_t length) {
  char path[4097] = "/";
  if (length > 1) memcpy(path + 1, walk->path, length - 1);
  return open_beneath(walk->root_fd, path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

/* Visits one directory below another that has not changed. */
static int visit_below(struct walk *walk, struct place place, uint32_t number) {
  const struct seen_directory *directory = seen_at(walk->found->known, walk->from);
  struct states states = {.count = directory->count};
  memcpy(states.item, directory->states, directory->count * sizeof *states.item);
  place.fd = open_place(walk, place.length);
  place.states = &states;
  place.next = number;
  if (place.fd < 0) return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : errno;
  int error = visit(walk, &place, seen_name(seen_at(walk->found->known, number)), DT_DIR);
  close(place.fd);
  return error;
}

/* A directory that has not changed has the same entries, so only those below it can have changed. Names and their
 * meaning are the same too. */
static int walk_below(struct walk *walk, struct place place) {
  const struct seen *known = walk->found->known;
  const uint32_t from = walk->from, end = seen_at(known, from)->end;
  int error = 0;
  for (uint32_t below = from + 1; below < end && !error; below = seen_at(known, below)->end) {
    const char *name = seen_name(seen_at(known, below));
    const size_t length = place.length + strlen(name);
    if (length + 2 > sizeof walk->path) return ENAMETOOLONG;
    memcpy(walk->path + place.length, name, length - place.length + 1);
    if (recognise(seen_at(known, below), walk->root_fd, walk->path) == SAME) {
      walk->path[length] = '/';
      error = walk_known(walk, (struct place){.depth = place.depth + 1, .length = length + 1, .zone = zone_below(place.zone, name)}, below);
    } else {
      error = visit_below(walk, place, below);
    }
  }
  return error;
}

static int walk_known(struct walk *walk, struct place place, uint32_t number) {
  const uint32_t at = walk->at, from = walk->from;
  if (at != UNSEEN) walk->at = see_again(walk->found->seen, seen_at(walk->found->known, number));
  walk->from = number;
  int error = walk_below(walk, place);
  if (walk->at != UNSEEN) end_seeing(walk->found->seen, walk->at, error);
  walk->at = at;
  walk->from = from;
  return error;
}

/* The walk at the start remembers the roots that will be swept. */
static bool is_swept(const struct walk *walk) {
  return !walk->layer && !is_shown_root(walk->plan, walk->root) && !is_staged_root(walk->plan, walk->root);
}

static int walk_root(struct walk *walk, struct place *place) {
  const struct findings *found = walk->found;
  enum sameness sameness = OTHER;
  if (found->known && is_swept(walk)) {
    walk->from = LIST_AT(found->known->roots, uint32_t, walk->root);
    sameness = walk->from == UNSEEN ? OTHER : recognise(seen_at(found->known, walk->from), walk->root_fd, ".");
    if (sameness == OTHER) walk->from = UNSEEN;
  }
  if (found->seen && !walk->layer) {
    if (is_swept(walk)) walk->at = sameness == SAME ? see_again(found->seen, seen_at(found->known, walk->from)) : see(found->seen, place->fd, "", (struct inheritance){place->states, place->states->count});
    *(uint32_t *)list_push(&found->seen->roots, sizeof walk->at) = walk->at;
  }
  if (sameness != SAME) return walk_directory(walk, place);
  close(place->fd);
  int error = walk_below(walk, *place);
  if (walk->at != UNSEEN) end_seeing(found->seen, walk->at, error);
  return error;
}
