/* Modules of the guest's kernel. */
#ifndef HF_GUEST_INIT_MODULES_H
#define HF_GUEST_INIT_MODULES_H
void load_modules(void);
int open_port(void);
#endif
