/* Judges the entries of a walk. */
#ifndef HF_LAUNCH_NAMES_MATCH_H
#define HF_LAUNCH_NAMES_MATCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../plan/plan.h"
#include "findings.h"
#include "names.h"

struct walk {
  const struct plan *plan;
  unsigned root;
  int root_fd;
  bool hidden_only, layer; /* `layer`: earlier commands made its files */
  struct findings *found;
  int matched, covered; /* effects on this entry and on the content of this directory, or -1 */
  uint32_t at, from;    /* numbers of this directory in `seen` and in `known` of the findings, or UNSEEN */
  char path[4096];
};
int match_entry(struct walk *walk, int parent, const char *entry, const struct states *above, struct states *below, enum zone zone);
int add_hit(struct walk *walk, int parent, const char *entry, enum effect effect);
void look_closer(struct walk *walk, int parent, const char *entry); /* finds entries by kind, not by name */
bool path_behind(int parent, const char *entry, char path[4096]); /* the target of a link; false if it has none */
int follow_names(struct walk *walk, int parent, const char *entry, size_t length, const struct states *states);
#endif
