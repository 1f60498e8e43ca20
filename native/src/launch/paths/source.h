/* Opens a path of the plan on the host, if it is still the same file as when the plan was made. */
#ifndef HF_LAUNCH_PATHS_SOURCE_H
#define HF_LAUNCH_PATHS_SOURCE_H
#include "../plan/plan.h"

int open_source(int host, const struct mount_step *step);          /* the planned inode or a failure; -1 and errno if it may be absent */
void check_sources(const struct plan *plan);                       /* checks that every planned inode still exists */
int open_layer(int host, const struct layer_directory *place);     /* O_PATH, or a failure */
int open_granted(const struct plan *plan, const char *path);       /* O_PATH of a Landlock rule's path; -1 and errno */
#endif
