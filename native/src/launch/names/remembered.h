/* The directories that an earlier launcher saw, in a file. */
#ifndef HF_LAUNCH_NAMES_REMEMBERED_H
#define HF_LAUNCH_NAMES_REMEMBERED_H
#include "../plan/plan.h"
#include "seen.h"

/* NULL without such a file, if they belong to other roots or names, or if the file is not as it was written. */
const struct seen *recall_seen(const struct plan *plan);
/* If enough of them are new. A failure costs time at the next start. */
void remember_seen(const struct plan *plan, const struct seen *seen);
#endif
