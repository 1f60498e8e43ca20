/* Asks the user's resident supervisor to run a command. */
#pragma once
struct place;
/* NOBODY: there is no supervisor, or it cannot be used any more. COLD: it leaves the run to Node. SERVES_…: the same,
 * and Node serves this process on descriptor 3. */
enum asked { NOBODY, COLD, SERVES_NOBODY, SERVES_COLD };

/* Returns if Node has to do the run. Otherwise ends with the status of the command, or of the failure to run it. */
enum asked ask_supervisor(const struct place *place, char **words);
