/* New names that outlive the box and lead a program outside of it astray. */
#ifndef HF_LAUNCH_GUARD_LEFT_H
#define HF_LAUNCH_GUARD_LEFT_H

struct k_notification;
struct new_name;
struct plan;
/* Of an allowed call. The supervisor looks at it once the box has ended. */
void note_left(const struct plan *plan, const struct k_notification *call, const struct new_name *name);
#endif
