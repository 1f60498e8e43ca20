/* The result of an operation that returns only success or failure. */
#include <errno.h>
#include <stddef.h>
#include "operate.h"
#include "protocol.h"
#include "reply.h"

bool failed_at(int error, const char *call, const char *path) {
  reply_failed((struct failure){error, call, path});
  return false;
}

bool failed(int error, const char *call) {
  return failed_at(error, call, NULL);
}

bool done_or(int result, const char *call) {
  if (result < 0) return failed(errno, call);
  reply_result(RESULT_DONE);
  return true;
}
