/* sigio PID: has the kernel send SIGKILL to another process as the owner of a socket that becomes readable. */
#include <signal.h>
#include <sys/socket.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 2, "sigio PID");
  int ends[2];
  must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
  must(fcntl(ends[0], F_SETSIG, SIGKILL), "F_SETSIG");
  must(fcntl(ends[0], F_SETOWN, atoi(argv[1])), "F_SETOWN");
  must(fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK), "O_ASYNC");
  must(write(ends[1], "x", 1), "write");
  return 0;
}
