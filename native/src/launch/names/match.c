/* Judges one entry of a walk: a protected or hidden name, a secret, a socket, a link to names. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "match.h"
#include "../paths/sight.h"
#include "../plan/hit.h"
#include "../report/fail.h"
#include "findings.h"
#include "names.h"
#include "secret.h"
#include "seen.h"
#include "sockets.h"

/* `names`: how many of its names this is. */
static void note_links(struct walk *walk, const struct sight *sight, int effect, unsigned names) {
  if (walk->found->after || !S_ISREG(sight->mode) || sight->links < 2) return;
  struct linked *file = list_push(&walk->found->linked, sizeof *file);
  *file = (struct linked){sight->is.device, sight->is.inode, sight->links, names, (enum effect)effect};
}

static void push_hit(struct walk *walk, struct hit hit) {
  hit.root = walk->root;
  hit.path = strdup(walk->path);
  if (!hit.path || (hit.symlink && !hit.text)) fail("memory", "", ENOMEM);
  *(struct hit *)list_push(&walk->found->hits, sizeof hit) = hit;
}

static char *link_text(int parent, const char *entry) {
  char text[4096];
  ssize_t length = readlinkat(parent, entry, text, sizeof text - 1);
  return strndup(text, length > 0 ? (size_t)length : 0);
}

int add_hit(struct walk *walk, int parent, const char *entry, enum effect effect) {
  struct sight sight, target;
  if ((walk->hidden_only && effect != EFFECT_HIDDEN) || is_released(walk->plan, walk->root, walk->path)) return 0;
  if (!look_at(parent, entry, AT_SYMLINK_NOFOLLOW, &sight)) return errno == ENOENT ? 0 : errno;
  walk->matched = (int)effect;
  struct hit hit = {.effect = effect, .symlink = S_ISLNK(sight.mode), .is = sight.is};
  if (!hit.symlink) note_links(walk, &sight, effect, 1);
  else if (look_at(parent, entry, 0, &target)) {
    note_links(walk, &target, effect, 0);
    hit.target = target.is;
  } else if (walk->at != UNSEEN) {
    read_again(walk->found->seen, walk->at); /* its target may appear in another directory */
  }
  hit.text = hit.symlink ? link_text(parent, entry) : NULL;
  push_hit(walk, hit);
  return 0;
}

/* Finds entries by kind, not by name: sockets of the host, and other names of files in a protected directory. */
void look_closer(struct walk *walk, int parent, const char *entry) {
  struct sight sight;
  if (walk->at != UNSEEN) note_meaning(walk->found->seen, walk->at);
  if (!look_at(parent, entry, AT_SYMLINK_NOFOLLOW, &sight)) return;
  if (walk->covered >= 0) note_links(walk, &sight, walk->covered, 1);
  if (!S_ISSOCK(sight.mode) || walk->plan->helper.count || is_released(walk->plan, walk->root, walk->path) || !listens(parent, entry)) return;
  push_hit(walk, (struct hit){.effect = EFFECT_HIDDEN, .unpinned = true, .is = sight.is});
}

/* The target of a link, as the kernel sees it. False for a dangling link. */
bool path_behind(int parent, const char *entry, char path[4096]) {
  char link[32];
  int fd = openat(parent, entry, O_PATH | O_CLOEXEC);
  if (fd < 0) return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 4095);
  close(fd);
  path[length > 0 ? length : 0] = 0;
  return length > 0;
}

/* A link out of the repository shows none of the repository's files, and its target is not the repository's to hide
 * (attack: `AGENTS.md` that leads to the user's own settings of an agent, or `.claude` to /usr). */
static bool leads_out(const struct walk *walk, int parent, const char *entry) {
  struct stat st;
  char path[4096];
  if (fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) || !S_ISLNK(st.st_mode)) return false;
  return path_behind(parent, entry, path) && !is_withholding(walk->plan, path);
}

int match_entry(struct walk *walk, int parent, const char *entry, const struct states *above, struct states *below, enum zone zone) {
  unsigned withheld = 0;
  bool suspect = false;
  int effect = advance_names(&(struct step){walk->plan, entry, zone, STEP_ANYWHERE, &suspect, &withheld}, above, below, NULL);
  walk->matched = -1;
  if (suspect && effect != TOO_MANY_NAMES && !walk->found->after && !walk->layer && may_be_secret(walk->plan, walk->root, walk->path) && holds_secret(parent, entry, &walk->found->judged)) effect = EFFECT_HIDDEN;
  if (effect != TOO_MANY_NAMES && withheld && !walk->found->after && is_withheld(walk->plan, walk->root, walk->path, withheld) && !leads_out(walk, parent, entry)) effect = EFFECT_HIDDEN;
  if (effect > -2 && effect < EFFECT_READ_ONLY && is_guarded(walk->plan, walk->root, walk->path)) effect = EFFECT_READ_ONLY;
  /* Afterwards, the whole directory is quarantined (attack: a directory in which more names begin than a walk follows). */
  if (effect == TOO_MANY_NAMES && walk->found->after) effect = EFFECT_READ_ONLY;
  if (effect == TOO_MANY_NAMES) return E2BIG;
  if (walk->at != UNSEEN && (effect >= 0 || suspect || withheld)) note_meaning(walk->found->seen, walk->at);
  return effect < 0 ? 0 : add_hit(walk, parent, entry, (enum effect)effect);
}

static void push_linked(struct walk *walk, int directory, const char *entry) {
  struct sight sight;
  if (!look_at(directory, entry, 0, &sight)) return;
  push_hit(walk, (struct hit){.effect = EFFECT_HIDDEN, .symlink = true, .unpinned = true, .is = sight.is, .text = strdup("")});
  note_links(walk, &sight, EFFECT_HIDDEN, 0);
}

/* A name may continue behind a symlink to a directory (attack: `.github -> docs` with instructions in it). Follows only
 * for withheld names, because they count by the path through which they are reached, and only as deep as the longest of
 * them. */
static int follow_link(struct walk *walk, int parent, const char *entry, size_t length, const struct states *above) {
  DIR *directory = NULL;
  int fd = leads_out(walk, parent, entry) ? -1 : openat(parent, entry, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && !(directory = fdopendir(fd))) close(fd);
  int error = 0;
  for (const struct dirent *inner; directory && !error && (inner = readdir(directory));) {
    size_t name_length = strlen(inner->d_name);
    if (strcmp(inner->d_name, ".") == 0 || strcmp(inner->d_name, "..") == 0 || length + name_length + 2 > sizeof walk->path) continue;
    memcpy(walk->path + length, inner->d_name, name_length + 1);
    struct states below;
    unsigned withheld = 0;
    if (advance_names(&(struct step){walk->plan, inner->d_name, false, STEP_FROM_ABOVE, NULL, &withheld}, above, &below, NULL) == TOO_MANY_NAMES) error = E2BIG;
    else if (withheld && is_withheld(walk->plan, walk->root, walk->path, withheld) && !leads_out(walk, dirfd(directory), inner->d_name)) push_linked(walk, dirfd(directory), inner->d_name);
    else if (below.count) {
      walk->path[length + name_length] = '/';
      error = follow_link(walk, dirfd(directory), inner->d_name, length + name_length + 1, &below);
    }
  }
  if (directory) closedir(directory);
  return error;
}

int follow_names(struct walk *walk, int parent, const char *entry, size_t length, const struct states *states) {
  struct states going = *states;
  keep_withheld(walk->plan, &going);
  struct stat st;
  if (walk->found->after || going.count == 0 || fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) || !S_ISLNK(st.st_mode)) return 0;
  if (walk->at != UNSEEN) note_meaning(walk->found->seen, walk->at); /* the link may lead elsewhere later */
  walk->path[length] = '/';
  int error = follow_link(walk, parent, entry, length + 1, &going);
  walk->path[length] = 0;
  return error;
}
