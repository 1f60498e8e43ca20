/* The time limit of a box, orders to its init, and its end. */
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include "watch.h"

/* Milliseconds for the keeper of a box without namespaces to end the box. */
#define KEEPER_PATIENCE 5000

uint64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

void start_clock(struct watch *watch) {
  if (watch->plan->limit[L_WALL_MS] != UINT64_MAX) watch->deadline = now_ms() + watch->plan->limit[L_WALL_MS];
}

/* An init that is stopped reads no orders, and must not block outer. */
void order(const struct watch *watch, const uint8_t *bytes, size_t length) {
  if (watch->box->status >= 0) send(watch->box->status, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* init is waiting only for permission to begin, and takes any other order for its end. */
void signal_command(struct watch *watch, uint32_t number) {
  struct early *early = &watch->early;
  if (watch->plan->held) {
    if (early->count < sizeof early->numbers) early->numbers[early->count++] = (uint8_t)number;
    return;
  }
  uint8_t bytes[2] = {'s', (uint8_t)number};
  order(watch, bytes, sizeof bytes);
}

void let_held_begin(struct watch *watch) {
  watch->plan->held = false;
  order(watch, (const uint8_t *)"g", 1);
  for (unsigned i = 0; i < watch->early.count; i++) signal_command(watch, watch->early.numbers[i]);
}

/* The keeper of a box without namespaces ends the rest at once when outer closes its stream. If the keeper were killed,
 * the rest would have to be hunted down. */
static bool may_end_itself(struct watch *watch) {
  if (!watch->plan->plain || watch->box->status < 0) return false;
  if (watch->ending) return now_ms() < watch->deadline;
  shutdown(watch->box->status, SHUT_WR);
  kill(watch->box->init, SIGCONT);
  watch->ending = watch->terminated = true;
  watch->deadline = now_ms() + KEEPER_PATIENCE;
  return true;
}

void kill_box(struct watch *watch) {
  if (watch->box->init > 0 && !may_end_itself(watch)) kill(watch->box->init, SIGKILL);
}

void lose_supervisor(struct watch *watch) {
  watch->supervisor_gone = true;
  kill_box(watch);
}
