/* Search path of the command. */
#ifndef HF_LAUNCH_COMMAND_SEARCH_H
#define HF_LAUNCH_COMMAND_SEARCH_H
#include <stdint.h>

struct plan;
uint32_t absent_entries(const struct plan *plan);
int exec_in_path(const struct plan *plan); /* an errno: returns only if nothing was executed */
#endif
