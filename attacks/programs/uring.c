/* uring PATH TEXT: makes a socket, connects it to PATH and sends TEXT by io_uring, without one socket system call. */
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "tool.h"

struct ring {
  int fd;
  uint32_t *tail, *mask, *array, *done_head, *done_mask;
  struct io_uring_sqe *entries;
  struct io_uring_cqe *done;
};

static struct ring make_ring(void) {
  struct io_uring_params p = {0};
  struct ring ring = {.fd = (int)must(syscall(SYS_io_uring_setup, 4, &p), "io_uring_setup")};
  size_t size = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
  char *queues = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, IORING_OFF_SQ_RING);
  ring.entries = mmap(NULL, p.sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring.fd, IORING_OFF_SQES);
  if (queues == MAP_FAILED || ring.entries == MAP_FAILED) must(-1, "mmap");
  ring.tail = (uint32_t *)(queues + p.sq_off.tail);
  ring.mask = (uint32_t *)(queues + p.sq_off.ring_mask);
  ring.array = (uint32_t *)(queues + p.sq_off.array);
  ring.done_head = (uint32_t *)(queues + p.cq_off.head);
  ring.done_mask = (uint32_t *)(queues + p.cq_off.ring_mask);
  ring.done = (struct io_uring_cqe *)(queues + p.cq_off.cqes);
  return ring;
}

static int submit(struct ring *ring, struct io_uring_sqe entry, const char *what) {
  uint32_t slot = *ring->tail & *ring->mask;
  ring->entries[slot] = entry;
  ring->array[slot] = slot;
  __atomic_store_n(ring->tail, *ring->tail + 1, __ATOMIC_RELEASE);
  must(syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0), "io_uring_enter");
  int result = ring->done[*ring->done_head & *ring->done_mask].res;
  __atomic_store_n(ring->done_head, *ring->done_head + 1, __ATOMIC_RELEASE);
  errno = result < 0 ? -result : 0;
  return (int)must(result < 0 ? -1 : result, what);
}

int main(int argc, char **argv) {
  need(argc, 3, "uring PATH TEXT");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  struct ring ring = make_ring();
  int fd = submit(&ring, (struct io_uring_sqe){.opcode = 45 /* IORING_OP_SOCKET, kernel 5.19 */, .fd = AF_UNIX, .off = SOCK_STREAM}, "uring socket");
  submit(&ring, (struct io_uring_sqe){.opcode = IORING_OP_CONNECT, .fd = fd, .addr = (uintptr_t)&address, .off = sizeof address}, "uring connect");
  submit(&ring, (struct io_uring_sqe){.opcode = IORING_OP_SEND, .fd = fd, .addr = (uintptr_t)argv[2], .len = (uint32_t)strlen(argv[2])}, "uring send");
  return 0;
}
