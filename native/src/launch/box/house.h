/* The process that serves the command inside the box. */
#ifndef HF_LAUNCH_BOX_HOUSE_H
#define HF_LAUNCH_BOX_HOUSE_H
#include "../confine/handover.h"
#include "ending.h"

/* Confines and starts the command, then serves it. `status` is the socket to outer. */
_Noreturn void start_command(struct plan *plan, int status, struct handover hand, enum ending ending);
#endif
