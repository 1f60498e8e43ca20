import { type Opcode, opcodes } from '../frame-head.ts';
import { createWebSocketReader } from '../frame-reader.ts';
import { writeFrame } from '../framed-tunnel.ts';

export interface Said {
  readonly opcode: Opcode;
  readonly text: string;
  /** Positions of the cuts between frames. */
  readonly cuts?: readonly number[];
}

/** Frames as one side writes them. A message has one more frame than cuts. */
export function framesOf(said: readonly Said[], to: 'client' | 'server'): Buffer {
  return Buffer.concat(
    said.flatMap(({ opcode, text, cuts = [] }) => {
      const payload = Buffer.from(text, 'latin1');
      const bounds = [
        0,
        ...[...cuts].map((cut) => Math.min(cut, payload.length)).sort((a, b) => a - b),
        payload.length,
      ];
      return bounds.slice(1).map((end, index) =>
        writeFrame(
          {
            opcode: index === 0 ? opcode : opcodes.continuation,
            isFinal: index === bounds.length - 2,
            payload: payload.subarray(bounds[index], end),
          },
          to,
        ),
      );
    }),
  );
}

export interface Heard {
  readonly opcode: Opcode;
  readonly text: string;
}

/**
 * The messages in the frames of one side, with one entry for each message and control frame, in the order of their
 * ends. The last may be incomplete.
 */
export function messagesIn(bytes: Buffer, sender: 'client' | 'server'): readonly Heard[] {
  const heard: Heard[] = [];
  let text = '';
  let rest: Heard | undefined;
  for (const piece of createWebSocketReader(sender).read(bytes)) {
    const said = piece.bytes.toString('latin1');
    if (piece.kind === 'control') {
      heard.push({ opcode: piece.opcode, text: said });
      continue;
    }
    text += said;
    rest = { opcode: piece.opcode, text };
    if (!piece.isLast) continue;
    heard.push(rest);
    rest = undefined;
    text = '';
  }
  return rest === undefined ? heard : [...heard, rest];
}
