/* The command of a box that was built ahead, as outer sends it. */
#ifndef HF_LAUNCH_COMMAND_READ_COMMAND_H
#define HF_LAUNCH_COMMAND_READ_COMMAND_H
struct plan;
void read_command(const struct plan *plan, struct plan *command, int memory);
#endif
