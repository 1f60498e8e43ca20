/* Node decides, where no server does. */
#pragma once
/* Ends with its status. The call is on stdin. */
_Noreturn void decide_by_node(char **words);
