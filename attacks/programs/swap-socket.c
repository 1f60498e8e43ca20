/* swap-socket HOW OTHER TEXT TIMES: calls with one descriptor, which another thread exchanges between an internet
 * socket and a Unix one. The address leads to OTHER. HOW is connect, sendto, sendmsg or sendmmsg. */
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "tool.h"

#define CALLED 100

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static volatile int over;
static int kinds[2];

static void *exchange(void *none) {
  for (unsigned turn = 0; !over; turn++) dup2(kinds[turn & 1], CALLED);
  return NULL;
}

static void call(const char *how, const char *text) {
  struct iovec part = {(void *)text, strlen(text)};
  struct mmsghdr message = {.msg_hdr = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &part, .msg_iovlen = 1}};
  if (strcmp(how, "sendto") == 0) sendto(CALLED, text, strlen(text), MSG_DONTWAIT, (void *)&address, sizeof address);
  else if (strcmp(how, "sendmsg") == 0) sendmsg(CALLED, &message.msg_hdr, MSG_DONTWAIT);
  else if (strcmp(how, "sendmmsg") == 0) sendmmsg(CALLED, &message, 1, MSG_DONTWAIT);
  else if (connect(CALLED, (void *)&address, sizeof address) == 0 && write(kinds[1], text, strlen(text)) < 0) return;
}

int main(int argc, char **argv) {
  need(argc, 5, "swap-socket HOW OTHER TEXT TIMES");
  signal(SIGPIPE, SIG_IGN);
  strncpy(address.sun_path, argv[2], sizeof address.sun_path - 1);
  int type = strcmp(argv[1], "connect") == 0 ? SOCK_STREAM : SOCK_DGRAM;
  pthread_t thread;
  kinds[0] = (int)must(socket(AF_INET, type, 0), "socket");
  kinds[1] = (int)must(socket(AF_UNIX, type, 0), "socket");
  must(dup2(kinds[0], CALLED), "dup2");
  if (pthread_create(&thread, NULL, exchange, NULL)) return 1;
  for (long times = atol(argv[4]); times > 0; times--) call(argv[1], argv[3]);
  over = 1;
  pthread_join(thread, NULL);
  return 0;
}
