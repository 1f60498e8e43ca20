/* flip HOW A B TIMES: opens a path whose bytes another thread exchanges between A and B all the while. Content that
 * it read from B goes to stdout. HOW: read, create. */
#include <pthread.h>
#include "tool.h"

static char path[4096];
static char *names[2];
static volatile int over;

static void *exchange(void *unused) {
  for (unsigned turn = 0; !over; turn++) memcpy(path, names[turn & 1], strlen(names[turn & 1]) + 1);
  return NULL;
}

int main(int argc, char **argv) {
  need(argc, 5, "flip HOW A B TIMES");
  names[0] = argv[2];
  names[1] = argv[3];
  memcpy(path, names[0], strlen(names[0]) + 1);
  pthread_t thread;
  if (pthread_create(&thread, NULL, exchange, NULL)) return 1;
  int creates = strcmp(argv[1], "create") == 0;
  for (long times = atol(argv[4]); times > 0; times--) {
    int fd = open(path, creates ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY, 0644);
    if (creates && fd >= 0) unlink(names[0]);
    char text[256];
    ssize_t length = fd < 0 || creates ? 0 : read(fd, text, sizeof text);
    if (length > 0) must(write(1, text, (size_t)length), "write");
    if (fd >= 0) close(fd);
  }
  over = 1;
  pthread_join(thread, NULL);
  return 0;
}
