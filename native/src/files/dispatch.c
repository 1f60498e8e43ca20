/* Runs requests. Each operation's result is sent before the next operation begins. */
#include <errno.h>
#include "dispatch.h"
#include "copy.h"
#include "decode.h"
#include "input.h"
#include "list.h"
#include "malformed.h"
#include "metadata.h"
#include "names.h"
#include "operate.h"
#include "protocol.h"
#include "read_write.h"
#include "remove.h"
#include "reply.h"
#include "watch.h"

static operate *const operations[OP_COUNT] = {
  [OP_READ] = op_read, [OP_WRITE] = op_write, [OP_OPEN] = op_open, [OP_READ_AT] = op_read_at, [OP_WRITE_AT] = op_write_at,
  [OP_CLOSE] = op_close, [OP_LIST] = op_list, [OP_STAT] = op_stat, [OP_MAKE_DIRECTORY] = op_make_directory, [OP_COPY] = op_copy,
  [OP_RENAME] = op_rename, [OP_LINK] = op_link, [OP_SYMLINK] = op_symlink, [OP_READLINK] = op_readlink, [OP_REALPATH] = op_realpath,
  [OP_TRUNCATE] = op_truncate, [OP_TIMES] = op_times, [OP_OWNER] = op_owner, [OP_MODE] = op_mode, [OP_REMOVE] = op_remove,
  [OP_TEMPORARY] = op_temporary, [OP_ACCESS] = op_access, [OP_WATCH] = op_watch, [OP_UNWATCH] = op_unwatch,
};

bool run_operation(const struct operation *operation) {
  bool succeeded = operation->has_nul ? failed(EINVAL, "open") : operations[operation->code](operation);
  reply_done();
  return succeeded;
}

void run_request(const struct frame *frame) {
  struct request request;
  if (!decode_request(&request, frame->id, frame->payload)) malformed("a request is malformed");
  reply_start(request.id);
  now_running(request.id);
  uint32_t done = 0;
  while (done < request.count && !is_cancelled(request.id)) {
    struct operation operation;
    if (done > 0) reply_flush();
    decode_operation(&operation, &request.operations);
    done++;
    if (!run_operation(&operation) && !request.never_stop) break;
  }
  now_running(0);
  reply_end(request.id, done);
}
