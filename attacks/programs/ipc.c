/* ipc KIND put TEXT | get NAME | drop NAME: shared memory and message queues of the host. KIND is shm, msg or mq.
 * `put` prints the name for later commands. `get` empties a queue. */
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include "tool.h"

struct message {
  long type;
  char text[128];
};

static void use_shm(const char *verb, const char *what) {
  int id = strcmp(verb, "put") == 0 ? (int)must(shmget(IPC_PRIVATE, 4096, 0600 | IPC_CREAT), "shmget") : atoi(what);
  if (strcmp(verb, "drop") == 0) must(shmctl(id, IPC_RMID, NULL), "shmctl");
  else {
    char *memory = shmat(id, NULL, 0);
    if (memory == (void *)-1) must(-1, "shmat");
    if (strcmp(verb, "get") == 0) puts(memory);
    else printf("%d\n", (strncpy(memory, what, 4095), id));
  }
}

static void use_msg(const char *verb, const char *what) {
  struct message message = {.type = 1};
  int id = strcmp(verb, "put") == 0 ? (int)must(msgget(IPC_PRIVATE, 0600 | IPC_CREAT), "msgget") : atoi(what);
  if (strcmp(verb, "drop") == 0) must(msgctl(id, IPC_RMID, NULL), "msgctl");
  else if (strcmp(verb, "get") == 0) {
    must(msgrcv(id, &message, sizeof message.text, 0, IPC_NOWAIT), "msgrcv");
    puts(message.text);
  } else {
    strncpy(message.text, what, sizeof message.text - 1);
    must(msgsnd(id, &message, sizeof message.text, IPC_NOWAIT), "msgsnd");
    printf("%d\n", id);
  }
}

static void use_mq(const char *verb, const char *what) {
  char name[64], text[129] = "";
  struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 128};
  snprintf(name, sizeof name, "/%.50s", what);
  if (strcmp(verb, "drop") == 0) must(mq_unlink(name), "mq_unlink");
  else if (strcmp(verb, "get") == 0) {
    must(mq_receive((mqd_t)must(mq_open(name, O_RDONLY | O_NONBLOCK), "mq_open"), text, 128, NULL), "mq_receive");
    puts(text);
  } else {
    must(mq_send((mqd_t)must(mq_open(name, O_WRONLY | O_CREAT, 0600, &attr), "mq_open"), what, strlen(what), 0), "mq_send");
    puts(what);
  }
}

int main(int argc, char **argv) {
  need(argc, 4, "ipc shm|msg|mq put|get|drop WHAT");
  if (strcmp(argv[1], "shm") == 0) use_shm(argv[2], argv[3]);
  else if (strcmp(argv[1], "msg") == 0) use_msg(argv[2], argv[3]);
  else use_mq(argv[2], argv[3]);
  return 0;
}
