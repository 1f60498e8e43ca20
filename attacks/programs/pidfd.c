/* pidfd kill PID | pidfd steal PID FD: signals a process, or copies one of its descriptors and prints its content. */
#include <signal.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "pidfd kill PID | pidfd steal PID FD");
  int process = (int)must(syscall(SYS_pidfd_open, atoi(argv[2]), 0), "pidfd_open");
  if (strcmp(argv[1], "kill") == 0) return (int)must(syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0), "pidfd_send_signal");
  int stolen = (int)must(syscall(SYS_pidfd_getfd, process, argc > 3 ? atoi(argv[3]) : 7, 0), "pidfd_getfd");
  char text[256] = "";
  must(pread(stolen, text, sizeof text - 1, 0), "read");
  puts(text);
  return 0;
}
