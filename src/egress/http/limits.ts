/** Limits on the memory and time that one client or upstream may cost. Octets and milliseconds. */
export const httpLimits = {
  /**
   * Request line or status line with all fields. Node allows 16 KiB, nginx 32 KiB. Cookies and signed tokens come
   * close.
   */
  head: 64 * 1024,
  fields: 256,
  target: 32 * 1024,
  /** The chunk-size line with its extensions. */
  chunkLine: 1024,
  trailers: 16 * 1024,
  /** 1xx answers before the final one. */
  informational: 32,
  /** From the first byte of a head to its end: slowloris. */
  slowHead: 10_000,
  /** Between two requests of a connection. */
  idle: 120_000,
  /** Without a byte either way inside an exchange. Language models think for ten minutes before they answer. */
  silence: 15 * 60_000,
  /** The same for a WebSocket. */
  tunnelSilence: 60 * 60_000,
  /** Time and amount of input that is read after the last answer, so that a reset cannot destroy it. */
  linger: 2_000,
  lingerOctets: 1024 * 1024,
  /** Flow-control windows of HTTP/2. RFC 9113's 64 KiB would limit a connection to 64 KiB a round trip. */
  streamWindow: 4 * 1024 * 1024,
  sessionWindow: 8 * 1024 * 1024,
  streams: 128,
  /** Megabytes that Node may hold for a session before it refuses streams: its windows, and heads under way. */
  sessionMemory: 32,
  /** Malformed frames, and streams over the limit, before the session ends. */
  badFrames: 100,
  /** Streams that a client may open and reset at once, and each second after that: CVE-2023-44487. */
  resetBurst: 1000,
  resetRate: 33,
} as const;
