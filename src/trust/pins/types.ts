/** What a server says about one of its tools, as it was hashed. */
export interface Definition {
  readonly tool: string;
  /** Canonical JSON. */
  readonly text: string;
  /** Of `text`, lower-case hexadecimal. */
  readonly sha256: string;
}

/** What was approved of one server. */
export interface ServerPins {
  readonly server: string;
  /** The last ones of each tool, newest last. */
  readonly definitions: readonly Definition[];
}
