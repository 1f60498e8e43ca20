const lineEnd = Buffer.from('\r\n');

/** Returns an array of bulk strings. No argument can break out of it. */
export function writeCommand(args: readonly (Buffer | string)[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${args.length}\r\n`)];
  for (const arg of args) {
    const bytes = typeof arg === 'string' ? Buffer.from(arg) : arg;
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, lineEnd);
  }
  return Buffer.concat(parts);
}

/** Returns an error in the form that both versions of the protocol share. `code` is one word, such as `NOAUTH`. */
export function writeError(code: string, message: string): Buffer {
  return Buffer.from(`-${code} ${message.replaceAll(/[^ -~]/gu, '?')}\r\n`);
}

export const okay: Buffer = Buffer.from('+OK\r\n');
