/* For a command that confines another one. */
#ifndef HF_LAUNCH_COMMAND_NEST_H
#define HF_LAUNCH_COMMAND_NEST_H
void nest(void); /* the command becomes uid 0 of its own namespaces */
#endif
