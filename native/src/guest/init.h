/* PID 1 of the guest. */
#ifndef HF_GUEST_INIT_H
#define HF_GUEST_INIT_H
_Noreturn void run_init(void);
#endif
