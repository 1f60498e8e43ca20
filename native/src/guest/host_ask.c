/* A question is a system call in the box. A separate process makes it, with the path and the arguments of the guest's
 * program, and stops like any program of the box: the supervisor reads the call, decides, asks a person, and records
 * it. An allowed call then fails, because the kernel rejects an environment with such a long entry. So the guest cannot
 * start a program in the box. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "host_ask.h"
#include "question.h"
#include "wire.h"

#define LONGER_THAN_A_WORD ((128u << 10) + 1) /* MAX_ARG_STRLEN */

static _Noreturn void call(const struct question *question) {
  static char word[LONGER_THAN_A_WORD + 1];
  memset(word, 'x', LONGER_THAN_A_WORD);
  char *const environment[] = {word, NULL};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execve(question->path, question->words.items, environment);
  _exit(errno == E2BIG ? 0 : errno);
}

static void answer(struct wire *wire, uint64_t call, uint32_t error) {
  uint8_t payload[12];
  memcpy(payload, &call, 8);
  memcpy(payload + 8, &error, 4);
  wire_send(wire, F_ANSWER, payload, sizeof payload);
}

bool ask(struct asking *asking, struct wire *wire, uint8_t *payload, size_t length) {
  struct question question;
  unsigned at = 0;
  while (at < MOST_ASKED && asking->open[at].pid) at++;
  if (at == MOST_ASKED || !question_decode(&question, payload, length)) return false;
  pid_t pid = fork();
  if (pid == 0) call(&question);
  free(question.words.items);
  if (pid < 0) return answer(wire, question.call, EACCES), true;
  asking->open[at].pid = pid;
  asking->open[at].call = question.call;
  return true;
}

void hear_askers(struct asking *asking, struct wire *wire) {
  for (unsigned at = 0; at < MOST_ASKED; at++) {
    int state;
    pid_t pid = asking->open[at].pid;
    if (pid == 0 || waitpid(pid, &state, WNOHANG) == 0) continue;
    asking->open[at].pid = 0;
    answer(wire, asking->open[at].call, WIFEXITED(state) ? (uint32_t)WEXITSTATUS(state) : EACCES);
  }
}
