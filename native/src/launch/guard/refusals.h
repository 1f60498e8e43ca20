/* Reports of refused calls, for the journal. */
#ifndef HF_LAUNCH_GUARD_REFUSALS_H
#define HF_LAUNCH_GUARD_REFUSALS_H

enum refused { REFUSED_NAME = 'n', REFUSED_CONNECTION = 'c', REFUSED_MESSAGE = 's', LEFT_NAME = 'l' /* not refused */, LEFT_MORE = 'm' };
/* The first byte of `path` is 0 if the path is not known. `program` may be NULL. */
void report_refusal(enum refused kind, const char *path, const char *program);
#endif
