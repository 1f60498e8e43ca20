/* The kernel that a program in the box sees. */
#ifndef HF_LAUNCH_GVISOR_SAY_KERNEL_H
#define HF_LAUNCH_GVISOR_SAY_KERNEL_H
_Noreturn void say_kernel(const char *word);
#endif
