/* Compares a hit with an earlier one, and reports hits to the supervisor. */
#include <stdio.h>
#include <string.h>
#include "hits.h"
#include "../paths/sight.h"
#include "../report/report.h"

int compare_hits(const void *a, const void *b) {
  const struct hit *x = a, *y = b;
  if (x->root != y->root) return x->root < y->root ? -1 : 1;
  int order = strcmp(x->path, y->path);
  if (order) return order;
  order = compare_identities(&x->is, &y->is);
  if (order) return order;
  return strcmp(x->text ? x->text : "", y->text ? y->text : "");
}

/* The target of a link is protected too, and may be another file by now. */
bool is_known_hit(const struct list *before, const struct hit *hit) {
  for (size_t i = 0; i < before->count; i++) {
    const struct hit *known = &LIST_AT(*before, struct hit, i);
    if (compare_hits(known, hit) == 0 && compare_identities(&known->target, &hit->target) == 0) return true;
  }
  return false;
}

/* u64 device, u64 inode, u64 birth, u8 effect, u8 whether it is a symlink, path; for a symlink also NUL and its text. */
#define HIT_HEAD 26
void report_hits(const struct plan *plan, const struct list *hits) {
  uint8_t payload[HIT_HEAD + 8300 + 4096];
  for (size_t i = 0; i < hits->count; i++) {
    const struct hit *hit = &LIST_AT(*hits, struct hit, i);
    const char *root = LIST_AT(plan->roots, const char *, hit->root);
    if ((is_shown_root(plan, hit->root) && !plan->plain) || is_staged_root(plan, hit->root)) continue;
    memcpy(payload, &hit->is.device, 8);
    memcpy(payload + 8, &hit->is.inode, 8);
    memcpy(payload + 16, &hit->is.born, 8);
    payload[24] = (uint8_t)hit->effect;
    payload[25] = hit->symlink;
    int length = snprintf((char *)payload + HIT_HEAD, 8300, "%s/%s", root[1] ? root : "", hit->path);
    if (length <= 0 || length >= 8300) continue;
    size_t size = HIT_HEAD + (size_t)length, more = hit->text ? strlen(hit->text) + 1 : 0;
    payload[size] = 0;
    if (more) memcpy(payload + size + 1, hit->text, more - 1);
    report(R_PROTECTED, payload, size + more);
  }
}
