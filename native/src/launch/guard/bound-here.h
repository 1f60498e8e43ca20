/* The box's own Unix sockets. */
#ifndef HF_LAUNCH_GUARD_BOUND_HERE_H
#define HF_LAUNCH_GUARD_BOUND_HERE_H
#include <stdbool.h>

struct stat;
bool is_bound_here(int place, const struct stat *st); /* `place`: open with O_PATH; false if the kernel does not report it */
#endif
