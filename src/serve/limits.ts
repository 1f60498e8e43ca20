/** Bounds of one server. What a client does beyond them is refused or ends that client. */
export const serveLimits = {
  /** Connections at a time. */
  clients: 128,
  sessions: 64,
  /** Requests of one connection that have no answer yet. */
  calls: 4096,
  /** Commands that run or wait to start, of all clients. */
  commands: 10_000,
  /** Commands that run. */
  running: 256,
  /** Commands that have ended and whose output can still be read. */
  ended: 32,
  /** Bytes of one message, as a command's words and variables can be. */
  message: 1024 * 1024,
  /** Bytes of one piece of a stream. */
  piece: 64 * 1024,
  /** Bytes of a stream that are under way and that nobody has taken yet. */
  window: 256 * 1024,
  /** Bytes for one client that wait in memory until it reads; it is not listened to meanwhile. */
  unsent: 4 * 1024 * 1024,
  /** Messages of one request that wait until it is under way. */
  early: 64,
  /** Milliseconds in which a client says what it speaks. */
  hello: 5000,
  /** Milliseconds in which a client that is shown out takes its last words. */
  goodbye: 1000,
} as const;
