/* Refuses the creation of protected names while the box runs. */
#ifndef HF_LAUNCH_GUARD_GUARD_H
#define HF_LAUNCH_GUARD_GUARD_H
#include <stdbool.h>
#include <sys/types.h>

struct plan;
void ask_for_short_turns(void); /* of the scheduler, for processes that others wait for */
void guard_begin(const struct plan *plan, pid_t command);
bool guard_apart(int listener); /* serves all calls in a separate thread; false if the box may have no more tasks */
bool guard_serve(int listener); /* serves one stopped call; false if no process is left that could stop */
#endif
