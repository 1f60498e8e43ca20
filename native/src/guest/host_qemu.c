/* Starts qemu next to `host`, in its own session, because keys and signals of the terminal belong to the guest. */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "host_qemu.h"
#include "machine.h"

#define PORT_FD 3

static _Noreturn void become_machine(const struct machine *machine, int port, int output) {
  static char *const nothing[] = {NULL};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  int null = open("/dev/null", O_RDONLY);
  int kept = fcntl(port, F_DUPFD, 10), said = fcntl(output, F_DUPFD, 10);
  if (null < 0 || kept < 0 || said < 0 || dup2(null, 0) < 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0 || dup2(kept, PORT_FD) < 0) _exit(125);
  syscall(SYS_close_range, PORT_FD + 1, ~0u, 0);
  execve(machine->words.items[0], machine->words.items, nothing);
  static const char text[] = "qemu cannot be executed\n";
  _exit(write(2, text, sizeof text - 1) < 0 ? 126 : 125);
}

bool start_machine(const struct machine *machine, struct virtual_machine *started) {
  int port[2], output[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, port) || pipe2(output, O_CLOEXEC)) return false;
  pid_t pid = fork();
  if (pid == 0) become_machine(machine, port[1], output[1]);
  close(port[1]);
  close(output[1]);
  fcntl(port[0], F_SETFL, O_NONBLOCK);
  *started = (struct virtual_machine){pid, port[0], output[0]};
  return pid > 0;
}
