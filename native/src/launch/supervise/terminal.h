/* The controlling terminal. */
#ifndef HF_LAUNCH_SUPERVISE_TERMINAL_H
#define HF_LAUNCH_SUPERVISE_TERMINAL_H
int foreground_terminal(void); /* the controlling terminal if this process owns it, or -1 */
void save_terminal(int terminal);
void restore_terminal(int terminal);
void give_back_terminal(int terminal);
#endif
