/* Reports of refused calls, for the journal. */
#ifndef HF_LAUNCH_GUARD_REFUSALS_H
#define HF_LAUNCH_GUARD_REFUSALS_H

enum refused { REFUSED_NAME = 'n', REFUSED_CONNECTION = 'c', REFUSED_MESSAGE = 's' };
/* First byte of `path`: 0 where it is not known. `program` may be NULL. */
void report_refusal(enum refused kind, const char *path, const char *program);
#endif
