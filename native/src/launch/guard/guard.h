/* Refuses the creation of protected names while the box runs. */
#ifndef HF_LAUNCH_GUARD_GUARD_H
#define HF_LAUNCH_GUARD_GUARD_H
#include <stdbool.h>
#include <sys/types.h>

struct plan;
void ask_for_short_turns(void); /* of the scheduler, for whom others wait */
void guard_begin(const struct plan *plan, pid_t command);
bool guard_apart(int listener); /* serves all of them in a thread of its own; false where the box may have no more tasks */
bool guard_serve(int listener); /* one call that stopped; false when there is nobody left to stop */
#endif
