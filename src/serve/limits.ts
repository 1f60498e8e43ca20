/** Limits of one server. A client that exceeds them is refused or disconnected. */
export const serveLimits = {
  /** Connections at a time. */
  clients: 128,
  sessions: 64,
  /** Unanswered requests of one connection. */
  calls: 4096,
  /** Running or waiting commands of all clients together. */
  commands: 10_000,
  /** Running commands. */
  running: 256,
  /** Ended commands whose output can still be read. */
  ended: 32,
  /** Bytes of one message, which limits a command's arguments and variables. */
  message: 1024 * 1024,
  /** Bytes of one piece of a stream. */
  piece: 64 * 1024,
  /** Bytes of a stream that are sent but not yet consumed. */
  window: 256 * 1024,
  /** Bytes that wait in memory for one client. Until it reads them, the server reads nothing from it. */
  unsent: 4 * 1024 * 1024,
  /** Messages of one request that wait until it runs. */
  early: 64,
  /** Milliseconds for a client to send its greeting. */
  hello: 5000,
  /** Milliseconds for a dropped client to take its last message. */
  goodbye: 1000,
} as const;
