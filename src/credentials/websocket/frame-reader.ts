import { createByteQueue } from './byte-queue.ts';
import { type ControlOpcode, type FrameHead, isControl, longestHead, type MessageOpcode, type Opcode, opcodes, readFrameHead } from './frame-head.ts';
import { unmask } from './unmask.ts';
import { FrameViolation } from './violation.ts';

/** What frames carry, without their masks. */
export type Piece =
  /** The next bytes of a message. */
  | { readonly kind: 'data'; readonly opcode: MessageOpcode; readonly bytes: Buffer; readonly isLast: boolean }
  | { readonly kind: 'control'; readonly opcode: ControlOpcode; readonly bytes: Buffer };

/** Octets: a frame of no more than this is one piece, so that small frames go on as they came. A receiver gains nothing by half a frame. */
export const pieceSize = 64 * 1024;

export interface FrameReader {
  /** What is complete now. Throws `FrameViolation`. Nothing comes after a close frame: RFC 6455 §5.5.1. */
  read(chunk: Buffer): Generator<Piece, void>;
}

/** Reads what one side of a WebSocket says. Holds less than `pieceSize` octets besides the chunk, whatever lengths are announced. */
export function createFrameReader(sender: 'client' | 'server'): FrameReader {
  const queue = createByteQueue();
  let head: FrameHead | undefined;
  let done = 0;
  /** The message that is under way. */
  let message: MessageOpcode | undefined;
  let isClosed = false;

  const nextHead = (): FrameHead | undefined => {
    const read = readFrameHead(queue.peek(longestHead));
    if (read === undefined) return undefined;
    if ((read.mask !== undefined) !== (sender === 'client')) throw new FrameViolation(sender === 'client' ? 'A frame of the client has no mask.' : 'A frame of the server has a mask.');
    message = messageOf(read.opcode, message);
    queue.take(read.size);
    done = 0;
    return read;
  };
  const pieceOf = ({ opcode, isFinal, length, mask }: FrameHead, raw: Buffer): Piece => {
    const bytes = mask === undefined ? raw : unmask(raw, { mask, at: done });
    done += raw.length;
    if (isControl(opcode)) return control(opcode, bytes);
    const isLast = isFinal && done === length;
    const carried = message ?? opcodes.binary;
    if (isLast) message = undefined;
    return { kind: 'data', opcode: carried, bytes, isLast };
  };

  return {
    *read(chunk) {
      queue.add(chunk);
      while (!isClosed) {
        head ??= nextHead();
        if (head === undefined || queue.length < Math.min(head.length - done, pieceSize)) return;
        const next = pieceOf(head, queue.take(head.length - done));
        if (done === head.length) head = undefined;
        isClosed = next.opcode === opcodes.close;
        yield next;
      }
      queue.take(queue.length);
    },
  };
}

/** What is under way after a frame has begun: RFC 6455 §5.4. */
function messageOf(opcode: Opcode, message: MessageOpcode | undefined): MessageOpcode | undefined {
  if (isControl(opcode)) return message;
  if (opcode === opcodes.continuation) {
    if (message === undefined) throw new FrameViolation('A message goes on that has not begun.');
    return message;
  }
  if (message !== undefined) throw new FrameViolation('A message begins inside of another.');
  return opcode;
}

function control(opcode: ControlOpcode, bytes: Buffer): Piece {
  if (opcode === opcodes.close && bytes.length === 1) throw new FrameViolation('A close frame has half a status.');
  return { kind: 'control', opcode, bytes };
}
