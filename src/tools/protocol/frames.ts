/**
 * Frames and their limits. The program in the box loads these, but not the schemas, which would bring their library
 * with them.
 */

/** Both sides belong to one installation, and start with this. */
export const toolsVersion = 1;

/** Bytes of one frame: a module of 8 MiB in base64, and some more. */
export const largestToolFrame = 16 << 20;

export const frameHeaderLength = 4;

/** Bytes of a tool's input or output, of one exchange with a server, or of one read or write of a file. */
export const largestToolPayload = 8 << 20;

/** Characters of one line of a tool's log. The rest is cut off. */
export const longestLogLine = 4096;

/** Returns the refusal of a call that sends more. */
export function tooMuch(bytes: number): string {
  return `it sends ${bytes} bytes, ${largestToolPayload} are allowed`;
}

/** `message` is a `ToHost` or a `FromHost`. The sender says which. */
export function encodeToolFrame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(frameHeaderLength);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}
