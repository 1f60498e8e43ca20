/** Limits on the memory and time that one client or upstream may use, in octets and milliseconds. */
export const httpLimits = {
  /**
   * The request line or status line with all fields. Node allows 16 KiB, nginx 32 KiB. Cookies and signed tokens come
   * close to these limits.
   */
  head: 64 * 1024,
  fields: 256,
  target: 32 * 1024,
  /** The chunk-size line with its extensions. */
  chunkLine: 1024,
  trailers: 16 * 1024,
  /** 1xx answers before the final one. */
  informational: 32,
  /** From the first byte of a head to its last. Attack: slowloris. */
  slowHead: 10_000,
  /** Idle time between two requests of a connection. */
  idle: 120_000,
  /**
   * Time without a byte in either direction inside an exchange. Language models may think for ten minutes before they
   * answer.
   */
  silence: 15 * 60_000,
  /** The same for a WebSocket. */
  tunnelSilence: 60 * 60_000,
  /** Time and amount of input to read after the last answer, so that a reset cannot destroy the answer. */
  linger: 2_000,
  lingerOctets: 1024 * 1024,
  /** Flow-control windows of HTTP/2. RFC 9113's 64 KiB would limit a connection to 64 KiB a round trip. */
  streamWindow: 4 * 1024 * 1024,
  sessionWindow: 8 * 1024 * 1024,
  streams: 128,
  /**
   * Megabytes that Node may hold for a session before it refuses streams: its windows, and heads that are still
   * arriving.
   */
  sessionMemory: 32,
  /** Malformed frames, and streams over the limit, that are tolerated before the session ends. */
  badFrames: 100,
  /** Streams that a client may open and reset in one burst, and then in each second: CVE-2023-44487. */
  resetBurst: 1000,
  resetRate: 33,
} as const;
