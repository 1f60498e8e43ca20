/* Node as the supervisor of one run. */
#pragma once
#include "supervisor.h"

struct place;
/* Whether the words are those of a run whose box this process can become the launcher of. */
int wants_box(char **words);

/* Returns where Node has to do it alone. */
void run_served(const struct place *place, char **words, enum asked asked);
