/* victim FILE PWNED: a process of the host with FILE's text in memory and FILE open as descriptor 7. Prints `PID
 * TEXT-ADDRESS FLAG-ADDRESS`. If another process sets the flag, it creates PWNED. */
#include <sys/prctl.h>
#include "tool.h"

static char text[256];
static volatile long flag;

int main(int argc, char **argv) {
  need(argc, 3, "victim FILE PWNED");
  int file = (int)must(open(argv[1], O_RDONLY), argv[1]);
  must(read(file, text, sizeof text - 1), argv[1]);
  dup2(file, 7);
  pid_t victim = (pid_t)must(fork(), "fork");
  if (victim > 0) return printf("%d %p %p\n", victim, (void *)text, (void *)&flag), 0;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* the least protected process, so that the control says something */
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd <= 2; fd++) dup2(null, fd);
  alarm(120);
  while (!flag) usleep(10000);
  close(open(argv[2], O_WRONLY | O_CREAT, 0644));
  pause();
}
