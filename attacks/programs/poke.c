/* poke HOW PID ADDRESS: writes 1 into another process, through ptrace, /proc/PID/mem or process_vm_writev. */
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include "tool.h"

static long one = 1;

static void by_ptrace(pid_t pid, void *address) {
  must(ptrace(PTRACE_ATTACH, pid, 0, 0), "attach");
  waitpid(pid, NULL, 0);
  must(ptrace(PTRACE_POKEDATA, pid, address, one), "poke");
  ptrace(PTRACE_DETACH, pid, 0, 0);
}

static void by_mem(pid_t pid, void *address) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  int fd = (int)must(open(path, O_RDWR), path);
  must(pwrite(fd, &one, sizeof one, (off_t)(uintptr_t)address), path);
}

static void by_vm(pid_t pid, void *address) {
  struct iovec from = {&one, sizeof one}, to = {address, sizeof one};
  must(process_vm_writev(pid, &from, 1, &to, 1, 0), "process_vm_writev");
}

int main(int argc, char **argv) {
  need(argc, 4, "poke ptrace|mem|vm PID ADDRESS");
  pid_t pid = atoi(argv[2]);
  void *address = (void *)(uintptr_t)strtoull(argv[3], NULL, 16);
  if (strcmp(argv[1], "ptrace") == 0) by_ptrace(pid, address);
  else if (strcmp(argv[1], "mem") == 0) by_mem(pid, address);
  else by_vm(pid, address);
  return 0;
}
