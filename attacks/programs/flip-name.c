/* flip-name NAME TIMES: opens a path for creation while another thread writes NAME over it and removes it again. */
#include <pthread.h>
#include "tool.h"

static char path[256];
static char first;
static volatile int done;

static void *flip(void *unused) {
  while (!done) {
    *(volatile char *)path = first;
    *(volatile char *)path = 'x';
  }
  return unused;
}

int main(int argc, char **argv) {
  need(argc, 3, "flip-name NAME TIMES");
  char other[256];
  snprintf(path, sizeof path, "%s", argv[1]);
  snprintf(other, sizeof other, "x%s", argv[1] + 1);
  first = path[0];
  pthread_t thread;
  must(-pthread_create(&thread, NULL, flip, NULL), "pthread_create");
  long times = atol(argv[2]), refused = 0, tries = 0;
  for (; tries < times && access(argv[1], F_OK); tries++) {
    int fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0644);
    if (fd >= 0) close(fd);
    else if (errno == EACCES) refused++;
    unlink(other);
  }
  done = 1;
  pthread_join(thread, NULL);
  printf("%s after %ld tries, of which %ld were refused\n", access(argv[1], F_OK) ? "nothing" : "a file", tries, refused);
  return 0;
}
