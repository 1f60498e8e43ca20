/* Turns this process into the launcher of a box. */
#pragma once
#include <stddef.h>

struct place;
/* The descriptor on which a launcher reads from its supervisor, as in launch/report/control.h. */
enum { SUPERVISOR_FD = 3 };

/* Writes to stderr. */
void say(const char *text, size_t length);

/* `server`: the stream to the supervisor. `node`: its PID if it is a child of this process, otherwise 0. */
_Noreturn void become_launcher(const struct place *place, int server, int node);
