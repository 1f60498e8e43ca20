/* Starts qemu. */
#ifndef HF_GUEST_HOST_QEMU_H
#define HF_GUEST_HOST_QEMU_H
#include <stdbool.h>
#include <sys/types.h>

struct machine;
struct virtual_machine {
  pid_t pid;
  int port, output; /* the byte stream; the output of qemu and of the guest's kernel */
};
bool start_machine(const struct machine *machine, struct virtual_machine *started);
#endif
