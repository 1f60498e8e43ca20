/* Opens a path of the plan on the host, if it has the same file as when the plan was made. */
#ifndef HF_LAUNCH_PATHS_SOURCE_H
#define HF_LAUNCH_PATHS_SOURCE_H
#include "../plan/plan.h"

int open_source(int host, const struct mount_step *step);          /* the planned inode or a failure; -1 and errno where it may be absent */
void check_sources(const struct plan *plan);                       /* every planned inode is still there */
int open_layer(int host, const struct layer_directory *place);     /* O_PATH, or a failure */
int open_granted(const struct plan *plan, const char *path);       /* O_PATH of a Landlock rule's path; -1 and errno */
#endif
