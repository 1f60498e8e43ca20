/* A launcher that the front has become. Its supervisor is not its parent. */
#ifndef HF_LAUNCH_SUPERVISE_ADOPTED_H
#define HF_LAUNCH_SUPERVISE_ADOPTED_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

void adopt(const char *child); /* main: before the plan is read; the PID of a supervisor that this process has started, or NULL */
bool is_adopted(void);
bool has_adopted_child(void);
pid_t adopter(void);     /* the supervisor's PID */
int adopter_end(void);   /* readable when the supervisor has ended; -1 if that cannot be watched */
void drop_handles(void); /* called if init sends no handles */
int handles_end(void);   /* readable when a handle has arrived; -1 without */
void hear_handles(void);
void drop_handle(void);  /* `h`, u32 descriptor: the supervisor has it */
bool is_passed_on(uint32_t signal_number); /* whether the command receives it */
void stop_self(void);    /* as Ctrl-Z stops a job; returns when the job continues */
#endif
