/* Reports an event of a watch; `watch` is its number. */
#ifndef HF_FILES_WATCH_EVENT_H
#define HF_FILES_WATCH_EVENT_H
#include <stdint.h>
#include "protocol.h"

void watch_event(uint32_t watch, enum event_kind kind, const char *directory, const char *name);
#endif
