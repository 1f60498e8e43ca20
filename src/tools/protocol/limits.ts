/** Both sides are of one installation, and start with this. */
export const protocolVersion = 1;

/** Bytes of one frame: a module of 8 MiB in base64, and a little. */
export const largestFrame = 16 << 20;

export const headerLength = 4;

/**
 * Bytes that a tool is given or gives back, sends to a server or gets from it, or reads or writes of a file in one
 * call.
 */
export const largestPayload = 8 << 20;

/** Why a call is refused that sends more than that. */
export function tooMuch(bytes: number): string {
  return `it sends ${bytes} bytes, ${largestPayload} are allowed`;
}

/** Characters of one line of a tool's log; the rest is cut off. */
export const longestLogLine = 4096;
