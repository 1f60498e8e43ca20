/** Limits of one server. A client beyond them is refused or dropped. */
export const serveLimits = {
  /** Connections at a time. */
  clients: 128,
  sessions: 64,
  /** Unanswered requests of one connection. */
  calls: 4096,
  /** Running or waiting commands of all clients. */
  commands: 10_000,
  /** Running commands. */
  running: 256,
  /** Ended commands whose output can still be read. */
  ended: 32,
  /** Bytes of one message. A command's arguments and variables can be as long. */
  message: 1024 * 1024,
  /** Bytes of one piece of a stream. */
  piece: 64 * 1024,
  /** Bytes of a stream that are sent and not yet taken. */
  window: 256 * 1024,
  /** Bytes for one client that wait in memory until it reads. Meanwhile nothing is read from it. */
  unsent: 4 * 1024 * 1024,
  /** Messages of one request that wait until it runs. */
  early: 64,
  /** Milliseconds for a client to greet. */
  hello: 5000,
  /** Milliseconds for a dropped client to take its last message. */
  goodbye: 1000,
} as const;
