/**
 * Frames and their limits. The program in the box loads this file, but not the schemas, because they would load their
 * library too.
 */

/** Both sides belong to the same installation, and begin with this version. */
export const toolsVersion = 1;

/** Most bytes of a frame: a module of 8 MiB in base64, and some more. */
export const largestToolFrame = 16 << 20;

export const frameHeaderLength = 4;

/** Most bytes of a tool's input or output, of one exchange with a server, or of one read or write of a file. */
export const largestToolPayload = 8 << 20;

/** Most characters of one line of a tool's log. The rest is cut off. */
export const longestLogLine = 4096;

/** Returns the refusal of a call that sends more. */
export function tooMuch(bytes: number): string {
  return `it sends ${bytes} bytes, ${largestToolPayload} are allowed`;
}

/** `message` is a `ToHost` or a `FromHost`, depending on the sender. */
export function encodeToolFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(frameHeaderLength);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}
