/* Node as the supervisor of one run. */
#pragma once
#include "supervisor.h"

struct place;
/* Whether the arguments are a run whose launcher this process can become. */
int wants_box(char **words);

/* Returns if Node has to do it alone. */
void run_served(const struct place *place, char **words, enum asked asked);
