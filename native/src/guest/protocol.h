/* Messages between host and guest. */
#ifndef HF_GUEST_PROTOCOL_H
#define HF_GUEST_PROTOCOL_H
/* A frame: a little-endian u32 whose upper byte is the kind and whose rest is the length, then the payload. */
enum frame {
  F_HELLO = 1, /* guest: it listens */
  F_START,     /* host, then: struct start, encoded */
  F_DATA,      /* both: u8 stream, bytes */
  F_END,       /* host: u8 stream: nothing more comes */
  F_TAKEN,     /* both: u8 stream, u32: this many bytes of it were passed on */
  F_CLOSED,    /* both: u8 stream: it has no reader any more */
  F_SIGNAL,    /* host: u8 number */
  F_SIZE,      /* host: u16 rows, u16 columns */
  F_CONTINUE,  /* host: u64 seconds, u64 nanoseconds of now */
  F_STARTED,   /* guest: u64 nanoseconds since its kernel started */
  F_NOT_FOUND, /* guest: u32 errno of the exec */
  F_STOPPED,   /* guest: the command is stopped */
  F_EXIT,      /* guest: u8 status, u8 signal */
  F_FAILED,    /* guest: text */
  F_ASK,       /* guest: u64 call, then path and arguments of a program that would start, each with its NUL */
  F_ANSWER,    /* host: u64 call, u32 errno of its refusal; 0: it starts */
};
#define MAX_PAYLOAD (64u << 10)
#define MAX_START (8u << 20)
#define MAX_ASK (320u << 10)
/* Most open questions. The guest's other callers wait in its kernel. */
#define MOST_ASKED 16u
/* Most bytes of one stream that are not yet acknowledged. */
#define WINDOW (256u << 10)
#endif
