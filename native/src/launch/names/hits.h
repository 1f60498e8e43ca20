/* Compares hits, and reports them to the supervisor. */
#ifndef HF_LAUNCH_NAMES_HITS_H
#define HF_LAUNCH_NAMES_HITS_H
#include <stdbool.h>
#include "../plan/hit.h"
#include "../plan/list.h"

int compare_hits(const void *a, const void *b); /* an order of struct hit */
bool is_known_hit(const struct list *before, const struct hit *hit);
void report_hits(const struct plan *plan, const struct list *hits); /* those that no mount of the box shows or stages */
#endif
