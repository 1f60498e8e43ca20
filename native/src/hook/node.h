/* Node decides if no server does. */
#pragma once
/* Ends with Node's status. The call is on stdin. */
_Noreturn void decide_by_node(char **words);
