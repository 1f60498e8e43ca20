/* lend PATH COMMAND...: runs COMMAND with descriptor 9 connected to a service of the host. */
#include <sys/socket.h>
#include <sys/un.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "lend PATH COMMAND...");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  int fd = (int)must(socket(AF_UNIX, SOCK_STREAM, 0), "socket");
  must(connect(fd, (struct sockaddr *)&address, sizeof address), argv[1]);
  must(dup2(fd, 9), "dup2");
  execvp(argv[2], argv + 2);
  return (int)must(-1, argv[2]);
}
