/* Mounts that protect and hide names. */
#ifndef HF_LAUNCH_ROOT_PROTECT_H
#define HF_LAUNCH_ROOT_PROTECT_H
#include <stdbool.h>
#include "../plan/hit.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "builder.h"

void protect_hits(const struct builder *builder, const struct plan *plan, const struct list *hits);
bool protect_again(const struct builder *builder, const struct plan *plan, const struct hit *hit); /* in a running box; true if nothing protected it any more */
bool pin_again(const struct builder *builder, const struct plan *plan, const struct hit *hit); /* the directories above a hit; false if it has no pins */
bool mask_bare(const struct builder *builder, const char *path); /* the same for a file that a mount other than a mask covered: it hides the present file */
#endif
