/* reread PATH SECONDS: reads PATH repeatedly, and prints each content that differs from the previous one. */
#include <time.h>
#include "tool.h"

int main(int argc, char **argv) {
  char last[64] = "", text[64];
  need(argc, 3, "reread PATH SECONDS");
  for (time_t end = time(NULL) + atoi(argv[2]); time(NULL) < end;) {
    int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    if (length <= 0) continue;
    text[length] = 0;
    if (strcmp(text, last) == 0) continue;
    strcpy(last, text);
    must(write(1, text, (size_t)length), "write");
  }
  return 0;
}
