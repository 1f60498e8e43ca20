/* This process as the launcher of a box. */
#pragma once
#include <stddef.h>

struct place;
/* The descriptor on which a launcher hears its supervisor, as in launch/report/control.h. */
enum { SUPERVISOR_FD = 3 };

/* To stderr. */
void say(const char *text, size_t length);

/* `server`: the stream to the supervisor. `node`: its number where it is a child of this process; 0 elsewhere. */
_Noreturn void become_launcher(const struct place *place, int server, int node);
