/* Node, where no supervisor does it. */
#pragma once
#include "supervisor.h"

struct place;
/* Where there was nobody, Node starts a supervisor for the next runs. */
_Noreturn void run_node(const struct place *place, char **words, enum asked asked);
