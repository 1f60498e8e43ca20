#include <stdint.h>
#include <stdio.h>
#include "cover.h"
#include "../plan/hit.h"
#include "../plan/plan.h"
#include "../report/report.h"
#include "../root/protect.h"

#define MOST_REPORTS 256

/* u8 effect, u8 whether it is new, path. */
static void tell(struct warden *warden, struct subject subject, bool is_new) {
  uint8_t payload[2 + 8300];
  const struct hit *hit = subject.target ? NULL : subject.hit;
  const char *root = hit ? LIST_AT(warden->plan->roots, const char *, hit->root) : "";
  payload[0] = hit ? (uint8_t)hit->effect : EFFECT_HIDDEN;
  payload[1] = is_new;
  int length = snprintf((char *)payload + 2, 8300, "%s%s%s", root[0] && root[1] ? root : "", hit ? "/" : "", hit ? hit->path : subject.target);
  if (length > 0 && length < 8300 && warden->reports++ < MOST_REPORTS) report_soon(R_COVERED, payload, (size_t)length + 2);
}

/* A pin includes the mounts below it, and names that came meanwhile are covered afterwards. */
static bool mask_again(const struct warden *warden, struct subject subject) {
  bool was_bare = mask_bare(&warden->builder, subject.target);
  if (subject.hit && pin_again(&warden->builder, warden->plan, subject.hit)) was_bare |= mask_bare(&warden->builder, subject.target);
  return was_bare;
}

void cover(struct warden *warden, struct subject subject, bool is_new) {
  bool was_bare = subject.target ? mask_again(warden, subject) : protect_again(&warden->builder, warden->plan, subject.hit);
  if (was_bare) tell(warden, subject, is_new);
}

void cover_all(struct warden *warden) {
  for (size_t i = 0; i < warden->subjects.count; i++) cover(warden, LIST_AT(warden->subjects, struct subject, i), false);
}

void add_subject(struct warden *warden, struct subject subject) {
  *(struct subject *)list_push(&warden->subjects, sizeof subject) = subject;
  watch_subject(&warden->watched, subject);
}
