/* flip-address OWN OTHER TEXT TIMES: listens at OWN, and connects by an address that another thread exchanges
 * between OWN and OTHER. Sends TEXT to every server that answers. */
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "tool.h"

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static char *names[2];
static volatile int over;

static void *exchange(void *unused) {
  for (unsigned turn = 0; !over; turn++) memcpy(address.sun_path, names[turn & 1], strlen(names[turn & 1]) + 1);
  return NULL;
}

int main(int argc, char **argv) {
  need(argc, 5, "flip-address OWN OTHER TEXT TIMES");
  signal(SIGPIPE, SIG_IGN);
  names[0] = argv[1];
  names[1] = argv[2];
  strcpy(address.sun_path, argv[1]);
  int server = (int)must(socket(AF_UNIX, SOCK_STREAM, 0), "socket");
  must(bind(server, (struct sockaddr *)&address, sizeof address), "bind");
  must(listen(server, 16), "listen");
  fcntl(server, F_SETFL, O_NONBLOCK);
  pthread_t thread;
  if (pthread_create(&thread, NULL, exchange, NULL)) return 1;
  for (long times = atol(argv[4]); times > 0; times--) {
    int client = (int)must(socket(AF_UNIX, SOCK_STREAM, 0), "socket");
    if (connect(client, (struct sockaddr *)&address, sizeof address) == 0) {
      if (write(client, argv[3], strlen(argv[3])) < 0) perror("write");
      int accepted = accept(server, NULL, NULL);
      if (accepted >= 0) close(accepted);
    }
    close(client);
  }
  over = 1;
  pthread_join(thread, NULL);
  unlink(argv[1]);
  return 0;
}
