/* The arguments of bubblewrap come in the plan. Placeholders for protected names and for data are filled in here. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "helper-words.h"
#include "../plan/bytes.h"
#include "../plan/hit.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/fail.h"

#define PROTECT_WORD "@protect:"
#define DATA_WORD "@data:"

static void push_word(struct list *words, const char *word) {
  *(const char **)list_push(words, sizeof word) = word;
}

static const char *format(const char *pattern, int number) {
  char text[32];
  snprintf(text, sizeof text, pattern, number);
  return strdup(text);
}

/* Returns a descriptor that holds `text`, above the descriptors with fixed numbers. */
int data_fd(const char *text, size_t length) {
  int memory = memfd_create("holdfast", 0);
  int fd = memory < 0 ? -1 : fcntl(memory, F_DUPFD, 64);
  if (fd < 0 || write(fd, text, length) != (ssize_t)length || lseek(fd, 0, SEEK_SET)) fail("hand over data", "", errno);
  close(memory);
  return fd;
}

static void push_bind(struct list *words, const char *option, const char *path) {
  push_word(words, option);
  push_word(words, path);
  push_word(words, path);
}

static void push_mask(struct list *words, const char *path, bool directory) {
  push_word(words, "--perms");
  push_word(words, "0000");
  if (directory) {
    push_word(words, "--tmpfs");
    push_word(words, path);
    push_word(words, "--remount-ro");
  } else {
    push_word(words, "--ro-bind-data");
    push_word(words, format("%d", data_fd("", 0)));
  }
  push_word(words, path);
}

static bool is_directory(const char *path) {
  int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

enum pin { PIN_PARENTS, PIN_ITSELF };

/* Pins the parents first, so that none of them can be renamed and replaced with an unprotected one. */
static void push_pins(struct list *words, const char *path, size_t root_length, enum pin pin) {
  char *prefix;
  if (asprintf(&prefix, "%s%s", path, pin == PIN_ITSELF ? "/" : "") < 0) fail("memory", "", ENOMEM);
  for (char *slash = strchr(prefix + root_length + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    bool known = false;
    for (size_t i = 2; i < words->count && !known; i++)
      known = strcmp(LIST_AT(*words, const char *, i), prefix) == 0 && strcmp(LIST_AT(*words, const char *, i - 1), "--bind") == 0;
    if (!known) push_bind(words, "--bind", strdup(prefix));
    *slash = '/';
  }
  free(prefix);
}

/* A hit with its surroundings in the box: mounts of the plan, and hits above it. */
struct placed {
  const struct hit *hit;
  char *path, *place; /* the name that was found, and its target */
  const struct mount_step *path_cover, *place_cover;
  int path_within, place_within; /* strictest effect of the hits above, or -1 */
};

static char *path_of(const struct plan *plan, const struct hit *hit) {
  const char *root = LIST_AT(plan->roots, const char *, hit->root);
  char *path;
  if (asprintf(&path, "%s/%s", root[1] ? root : "", hit->path) < 0) fail("memory", "", ENOMEM);
  return path;
}

/* The deepest mount on the way to a path. */
static const struct mount_step *cover_of(const struct plan *plan, const char *path) {
  const struct mount_step *cover = NULL;
  size_t longest = 0;
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    size_t length = step->target[1] ? strlen(step->target) : 0;
    if (step->kind == M_DIRECTORY || step->kind == M_SYMLINK || length < longest) continue;
    if (strncmp(path, step->target, length) == 0 && (path[length] == '/' || path[length] == 0)) cover = step, longest = length;
  }
  if (!cover) fail("protect path", path, ENOENT);
  return cover;
}

static int strictest_above(const struct list *placed, const char *path) {
  int strictest = -1;
  for (size_t i = 0; i < placed->count; i++) {
    const struct placed *other = &LIST_AT(*placed, struct placed, i);
    size_t length = strlen(other->place);
    if (strncmp(path, other->place, length) == 0 && path[length] == '/' && (int)other->hit->effect > strictest) strictest = (int)other->hit->effect;
  }
  return strictest;
}

static int by_place(const void *a, const void *b) {
  return strcmp(((const struct placed *)a)->place, ((const struct placed *)b)->place);
}

static struct list place_hits(const struct plan *plan, const struct list *hits) {
  struct list placed = {0};
  for (size_t i = 0; i < hits->count; i++) {
    const struct hit *hit = &LIST_AT(*hits, struct hit, i);
    char *path = path_of(plan, hit), *place = hit->symlink ? realpath(path, NULL) : path;
    struct placed *item = list_push(&placed, sizeof *item);
    *item = (struct placed){hit, path, place ? place : path, cover_of(plan, path), place ? cover_of(plan, place) : NULL, -1, -1};
  }
  for (size_t i = 0; i < placed.count; i++) {
    struct placed *item = &LIST_AT(placed, struct placed, i);
    item->path_within = strictest_above(&placed, item->path);
    item->place_within = strictest_above(&placed, item->place);
  }
  qsort(placed.items, placed.count, sizeof(struct placed), by_place);
  return placed;
}

static bool is_writable_at(const struct mount_step *cover, const char *target, int within) {
  return cover && strcmp(cover->target, target) == 0 && cover->kind == M_BIND && cover->flags & BIND_WRITABLE && within < EFFECT_READ_ONLY;
}

static bool is_pin(const struct placed *item) {
  return item->hit->effect == EFFECT_PINNED && is_directory(item->place);
}

static void push_item(struct list *words, const struct placed *item, const char *target) {
  if (is_pin(item)) return;
  if (item->hit->effect != EFFECT_HIDDEN) {
    if (is_writable_at(item->place_cover, target, item->place_within)) push_bind(words, "--ro-bind", item->place);
  } else if (item->place_cover && strcmp(item->place_cover->target, target) == 0 && item->place_within < EFFECT_HIDDEN) {
    push_mask(words, item->place, is_directory(item->place));
  }
}

/* Already masked by another name of the same file: a second mask has no file to be mounted on, and a read-only bind
 * would remove the first. */
static bool is_masked_before(const struct list *placed, size_t index) {
  const struct placed *items = placed->items;
  for (size_t i = 0; i < index; i++)
    if (items[i].hit->effect == EFFECT_HIDDEN && strcmp(items[i].place, items[index].place) == 0) return true;
  return false;
}

/* Hits in one mount, but not in mounts on top of it: those come later, with their own hits. No step may mount the
 * host's directory over a masked or read-only path (attacks: deny = ["private"] with a `.vscode` in it; a `.env` in
 * `.vscode`; a link to a file beside a protected name): pins first, then the rest from the top down. */
static void push_hits(struct list *words, const struct plan *plan, const struct list *placed, const char *target) {
  size_t above = target[1] ? strlen(target) : 0;
  for (size_t i = 0; i < placed->count; i++) {
    const struct placed *item = &LIST_AT(*placed, struct placed, i);
    if (!is_writable_at(item->path_cover, target, item->path_within) || is_shown_root(plan, item->hit->root) || item->hit->unpinned) continue;
    push_pins(words, item->path, above, is_pin(item) ? PIN_ITSELF : PIN_PARENTS);
  }
  for (size_t i = 0; i < placed->count; i++)
    if (!is_masked_before(placed, i)) push_item(words, &LIST_AT(*placed, struct placed, i), target);
}

char **helper_words(const struct plan *plan, const struct list *hits) {
  struct list words = {0}, placed = place_hits(plan, hits);
  for (size_t i = 0; i < plan->helper.count; i++) {
    const char *word = LIST_AT(plan->helper, const char *, i);
    size_t data = (size_t)atoi(word + (strlen(word) > 6 ? 6 : 0));
    if (strncmp(word, PROTECT_WORD, strlen(PROTECT_WORD)) == 0) {
      push_hits(&words, plan, &placed, word + strlen(PROTECT_WORD));
    } else if (strncmp(word, DATA_WORD, strlen(DATA_WORD)) == 0 && data < plan->data.count) {
      struct bytes content = LIST_AT(plan->data, struct bytes, data);
      push_word(&words, format("%d", data_fd((const char *)content.at, content.length)));
    } else {
      push_word(&words, word);
    }
  }
  push_word(&words, NULL);
  return words.items;
}
