/* Ends a guest that cannot continue. */
#ifndef HF_GUEST_GIVE_UP_H
#define HF_GUEST_GIVE_UP_H
struct wire;
void tell_failures(struct wire *wire); /* from now on */
void flush_all(struct wire *wire);
_Noreturn void give_up(const char *what, const char *path);
#endif
