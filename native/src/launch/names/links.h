/* Other names of files that are protected or hidden. */
#ifndef HF_LAUNCH_NAMES_LINKS_H
#define HF_LAUNCH_NAMES_LINKS_H
#include "findings.h"

void find_other_names(const struct plan *plan, const int *root_fds, struct findings *found);
#endif
