import type { Readable } from 'node:stream';
import { byteSource } from '../../../egress/index.ts';
import { readWholeCommand } from '../protocol/whole-command.ts';
import { limits, RespViolation } from '../protocol/violation.ts';

/**
 * Reads a stream step by step, while both sides wait for each other. Rejects when it breaks, and on what is no command.
 */
export interface CommandReader {
  /** The first octet, which stays; undefined: the stream has ended. */
  peek(): Promise<number | undefined>;
  /** Arguments of the next command; undefined: the stream has ended. Blank lines are passed over. */
  command(): Promise<readonly Buffer[] | undefined>;
  /** The next line, without CR LF; undefined: the stream ended before. */
  line(): Promise<string | undefined>;
  /** Gives the stream back with what was not read still in it. */
  detach(): void;
  /**
   * Gives the stream back without what was not read: a client that has said everything at once has ended its stream,
   * which takes nothing back.
   */
  rest(): Promise<Buffer>;
}

export function commandReader(stream: Readable): CommandReader {
  const source = byteSource(stream);
  let bytes: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const chunk = await source.read();
    if (chunk !== undefined) bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    return chunk !== undefined;
  };
  return {
    async peek() {
      while (bytes.length === 0) if (!(await more())) return undefined;
      return bytes[0];
    },
    async command() {
      for (;;) {
        const read = bytes.length === 0 ? undefined : readWholeCommand(bytes, 0);
        if (read !== undefined) bytes = bytes.subarray(read.end);
        if (read !== undefined && read.args.length > 0) return read.args;
        if (read === undefined && !(await more())) return undefined;
      }
    },
    async line() {
      for (;;) {
        const end = bytes.indexOf('\r\n');
        if (end > limits.line || (end < 0 && bytes.length > limits.line))
          throw new RespViolation('a line that is too long');
        if (end >= 0) {
          const line = bytes.toString('latin1', 0, end);
          bytes = bytes.subarray(end + 2);
          return line;
        }
        if (!(await more())) return undefined;
      }
    },
    async rest() {
      while (!source.isEmpty()) await more();
      source.detach();
      return bytes;
    },
    detach() {
      source.unread(bytes);
      bytes = Buffer.alloc(0);
      source.detach();
    },
  };
}
