/** Both sides are of one installation, and start with this. */
export const protocolVersion = 1;

/** Bytes of one frame: a module of 8 MiB in base64, and a little. */
export const largestFrame = 16 << 20;

export const headerLength = 4;

/** Bytes that a tool gives back, gets from a server, or reads or writes of a file in one call. */
export const largestPayload = 8 << 20;

/** Characters of one line of a tool's log; the rest is cut off. */
export const longestLogLine = 4096;
