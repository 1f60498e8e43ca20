/* Each order of the supervisor begins with one byte. */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include "orders.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/receive.h"
#include "../report/report.h"
#include "adopted.h"
#include "bring.h"
#include "watch.h"

/* `p`, u16 port, u32 id: init makes the connection, because outer cannot. */
static void forward(struct watch *watch) {
  uint8_t order[7] = {'p'};
  receive(order + 1, sizeof order - 1);
  if (watch->box->status >= 0) send(watch->box->status, order, sizeof order, MSG_NOSIGNAL);
}

/* `s`, u8 number: from a supervisor that is not the parent, whose own signals could come from anyone. */
static void pass_signal(struct watch *watch) {
  uint8_t number;
  receive(&number, 1);
  signal_command(watch, number);
}

/* The supervisor has the listener, so the command may begin. */
static void let_serve(struct watch *watch) {
  close(watch->listener);
  watch->listener = -1;
  if (!watch->plan->warm) start_clock(watch); /* the time until its calls are answered is not part of the command's time */
  order(watch, (const uint8_t *)"n", 1);
}

static void bring(struct watch *watch) {
  hand_over_command(watch->box->status, watch->command);
  watch->command = -1;
  start_clock(watch);
}

/* One command for each box. If no mount protects new names, the supervisor must know them first, because it may already
 * be serving the listener. */
static void hear_command(struct watch *watch) {
  struct brought brought = take_command(watch->plan, watch->roots);
  bool waits = waits_confined(watch->plan) && brought.found > 0;
  watch->plan->warm = false;
  watch->command = brought.memory;
  if (waits) report(R_FOUND, "", 0);
  else bring(watch);
}

/* `k` from the supervisor ends the box, `r` brings the command of a warm one, `g` lets a held one begin, `n` reports
 * that its listener is served, `f` that the findings are known, and `s` sends the command a signal. The end of its
 * stream means that the supervisor has died. */
void hear_supervisor(struct watch *watch) {
  char byte;
  ssize_t got = recv(CONTROL_FD, &byte, 1, MSG_DONTWAIT | (is_adopted() ? MSG_PEEK : 0));
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  /* Last words before the end: the command did not begin. They are text, not orders, and are read when the box has
   * ended. */
  if (is_adopted() && got == 1 && (byte == 'w' || byte == 'x')) {
    watch->dismissed = true;
    return kill_box(watch);
  }
  if (is_adopted() && got == 1) recv(CONTROL_FD, &byte, 1, MSG_DONTWAIT);
  if (got == 1 && byte == 'r' && watch->plan->warm) return hear_command(watch);
  if (got == 1 && byte == 'f' && watch->command >= 0) return bring(watch);
  if (got == 1 && byte == 'g' && watch->plan->held) return let_held_begin(watch);
  if (got == 1 && byte == 'n' && watch->listener >= 0) return let_serve(watch);
  if (got == 1 && byte == 'p' && watch->plan->forwards) return forward(watch);
  if (got == 1 && byte == 's') return pass_signal(watch);
  if (got == 1 && byte == 'h' && is_adopted()) return drop_handle();
  if (got == 1) kill_box(watch);
  else lose_supervisor(watch);
}
