/* Remembers files with several names while a tree is copied. A tree with very many of them gets copies instead of
 * further names. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "links.h"

#define MAX_LINKS 16384

struct link {
  dev_t device;
  ino_t inode;
  char *path;
};
struct links {
  size_t count, room;
  struct link *table; /* open addressing; at most half full */
};

static size_t slot_of(const struct links *links, dev_t device, ino_t inode) {
  size_t slot = (size_t)((inode * 0x9e3779b97f4a7c15u) ^ device) % links->room;
  while (links->table[slot].path && (links->table[slot].inode != inode || links->table[slot].device != device)) slot = (slot + 1) % links->room;
  return slot;
}

const char *links_find(const struct links *links, const struct stat *st) {
  return links ? links->table[slot_of(links, st->st_dev, st->st_ino)].path : NULL;
}

static struct links *grown(struct links *old) {
  struct links *links = calloc(1, sizeof *links);
  if (!links) return NULL;
  links->room = old ? old->room * 2 : 64;
  links->table = calloc(links->room, sizeof *links->table);
  if (!links->table) return free(links), NULL;
  for (size_t i = 0; old && i < old->room; i++)
    if (old->table[i].path) links->table[slot_of(links, old->table[i].device, old->table[i].inode)] = old->table[i];
  if (old) {
    links->count = old->count;
    free(old->table);
    free(old);
  }
  return links;
}

/* If memory is short, one name is not remembered, and one more copy is made. */
void links_add(struct links **links, const struct stat *st, const char *path) {
  if (!*links || (*links)->count * 2 >= (*links)->room) {
    if (*links && (*links)->count >= MAX_LINKS) return;
    struct links *larger = grown(*links);
    if (!larger) return;
    *links = larger;
  }
  struct link *link = &(*links)->table[slot_of(*links, st->st_dev, st->st_ino)];
  char *copy = link->path ? NULL : strdup(path);
  if (!copy) return;
  *link = (struct link){st->st_dev, st->st_ino, copy};
  (*links)->count++;
}

void links_free(struct links *links) {
  if (!links) return;
  for (size_t i = 0; i < links->room; i++) free(links->table[i].path);
  free(links->table);
  free(links);
}
