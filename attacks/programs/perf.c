/* perf: opens a counter of the kernel's perf subsystem on itself and prints the count. */
#include <linux/perf_event.h>
#include "tool.h"

int main(void) {
  struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1, .exclude_hv = 1};
  int fd = (int)must(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0), "perf_event_open");
  uint64_t nanoseconds = 0;
  for (volatile long i = 0; i < 10000000; i++) {}
  must(read(fd, &nanoseconds, sizeof nanoseconds), "read counter");
  printf("task clock %llu\n", (unsigned long long)nanoseconds);
  return 0;
}
