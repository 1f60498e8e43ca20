import {
  type ControlOpcode,
  type FrameHead,
  FrameViolation,
  isControl,
  longestFrameHead,
  type MessageOpcode,
  type Opcode,
  opcodes,
  readFrameHead,
  unmask,
} from './frame-head.ts';

/** Unmasked content of frames. */
export type FramePiece =
  /** The next bytes of a message. */
  | { readonly kind: 'data'; readonly opcode: MessageOpcode; readonly bytes: Buffer; readonly isLast: boolean }
  | { readonly kind: 'control'; readonly opcode: ControlOpcode; readonly bytes: Buffer };

/**
 * Octets. A frame of at most this size is one piece, so that small frames pass unchanged. Half a frame would not help a
 * receiver.
 */
export const pieceSize = 64 * 1024;

export interface WebSocketReader {
  /** Yields the complete pieces. Throws `FrameViolation`. Nothing may follow a close frame: RFC 6455 §5.5.1. */
  read(chunk: Buffer): Generator<FramePiece, void>;
}

/**
 * Reads one side of a WebSocket. Buffers less than `pieceSize` octets besides the chunk, even if a frame announces a
 * great length.
 */
export function createWebSocketReader(sender: 'client' | 'server'): WebSocketReader {
  const queue = createByteQueue();
  let head: FrameHead | undefined;
  let done = 0;
  /** Opcode of the unfinished message. */
  let message: MessageOpcode | undefined;
  let isClosed = false;

  const nextHead = (): FrameHead | undefined => {
    const read = readFrameHead(queue.peek(longestFrameHead));
    if (read === undefined) return undefined;
    if ((read.mask !== undefined) !== (sender === 'client'))
      throw new FrameViolation(
        sender === 'client' ? 'A frame of the client has no mask.' : 'A frame of the server has a mask.',
      );
    message = messageOf(read.opcode, message);
    queue.take(read.size);
    done = 0;
    return read;
  };
  const pieceOf = ({ opcode, isFinal, length, mask }: FrameHead, raw: Buffer): FramePiece => {
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

/** Returns the opcode of the unfinished message after a frame begins: RFC 6455 §5.4. */
function messageOf(opcode: Opcode, message: MessageOpcode | undefined): MessageOpcode | undefined {
  if (isControl(opcode)) return message;
  if (opcode === opcodes.continuation) {
    if (message === undefined) throw new FrameViolation('A frame continues a message that has not begun.');
    return message;
  }
  if (message !== undefined) throw new FrameViolation('A message begins inside another one.');
  return opcode;
}

function control(opcode: ControlOpcode, bytes: Buffer): FramePiece {
  if (opcode === opcodes.close && bytes.length === 1) throw new FrameViolation('A close frame has half a status.');
  return { kind: 'control', opcode, bytes };
}

/** A queue of bytes that arrived in several chunks. */
interface ByteQueue {
  readonly length: number;
  add(chunk: Buffer): void;
  /** Returns the first `count` bytes, or fewer, without removing them. */
  peek(count: number): Buffer;
  /** Removes and returns the first `count` bytes, or fewer. */
  take(count: number): Buffer;
}

/** Copies each byte at most once, however small the chunks are. */
export function createByteQueue(): ByteQueue {
  let chunks: Buffer[] = [];
  let length = 0;

  const first = (count: number): readonly Buffer[] => {
    const parts: Buffer[] = [];
    let left = count;
    for (const chunk of chunks) {
      if (left <= 0) break;
      parts.push(chunk.subarray(0, left));
      left -= chunk.length;
    }
    return parts;
  };

  return {
    get length() {
      return length;
    },
    add(chunk) {
      if (chunk.length === 0) return;
      chunks.push(chunk);
      length += chunk.length;
    },
    peek: (count) => joined(first(count)),
    take(count) {
      const parts = first(count);
      const taken = joined(parts);
      const last = chunks[parts.length - 1];
      const cut = parts.at(-1);
      const rest =
        last !== undefined && cut !== undefined && cut.length < last.length ? [last.subarray(cut.length)] : [];
      chunks = [...rest, ...chunks.slice(parts.length)];
      length -= taken.length;
      return taken;
    },
  };
}

function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}
