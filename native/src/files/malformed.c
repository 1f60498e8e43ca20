/* Names the fault, and ends the process. */
#include <string.h>
#include <unistd.h>
#include "malformed.h"
#include "protocol.h"
#include "reply.h"

_Noreturn void malformed(const char *what) {
  reply_begin(REPLY_ERROR, 0);
  reply_bytes(what, strlen(what));
  reply_send();
  _exit(EXIT_MALFORMED);
}
