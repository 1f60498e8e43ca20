/* Node, for runs that no supervisor takes. */
#pragma once
#include "supervisor.h"

struct place;
/* If no supervisor answered, Node starts one for the next runs. */
_Noreturn void run_node(const struct place *place, char **words, enum asked asked);
