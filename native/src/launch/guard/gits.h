/* The files that git itself creates in a new repository. */
#ifndef HF_LAUNCH_GUARD_GITS_H
#define HF_LAUNCH_GUARD_GITS_H
#include <stdbool.h>
#include "../plan/plan.h"

enum made { MADE_FILE, MADE_DIRECTORY, MADE_OTHER };
bool may_be_gits(const struct protected_name *name, const char *last, enum made made);
bool is_sample(const char *name);
bool hooks_were_made(void); /* in the box: every new file may be one */
#endif
