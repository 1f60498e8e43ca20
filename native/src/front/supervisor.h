/* Asks the user's resident supervisor to run a command. */
#pragma once
struct place;
/* NOBODY: there is no supervisor, or it is of no use any more. COLD: it leaves this to Node. The others: the same, and Node serves this
 * process by descriptor 3. */
enum asked { NOBODY, COLD, SERVES_NOBODY, SERVES_COLD };

/* Returns where Node has to do it; ends with the status of the command, or of what kept it from running, elsewhere. */
enum asked ask_supervisor(const struct place *place, char **words);
