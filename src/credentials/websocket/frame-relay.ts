import type { Detected, Hit } from '../masking/index.ts';
import { opcodes } from './frame-head.ts';
import { createFrameReader, type Piece } from './frame-reader.ts';
import type { Gate } from './gate.ts';
import { FrameViolation } from './violation.ts';
import { writeFrame } from './write-frame.ts';

export type Stopped =
  | { readonly kind: 'hit'; readonly hit: Hit }
  | { readonly kind: 'violation'; readonly message: string };

/** Whole frames, in order, that go on; and why nothing does any more. */
export interface Relayed {
  readonly frames: readonly Buffer[];
  readonly stopped?: Stopped;
}

/** One direction of a WebSocket. */
export interface FrameRelay {
  /** Nothing may be pushed after it has stopped. */
  push(chunk: Buffer): Relayed;
}

/**
 * Relays frames as far as a gate lets their payload pass. Frames are made anew, so that none promises octets that are
 * kept back: small ones have the length that they had, large messages and those in which something is kept back are cut
 * elsewhere, as RFC 6455 §5.4 lets everybody do who stands between where no extension is in use.
 */
export function createFrameRelay(sender: 'client' | 'server', gate: Gate): FrameRelay {
  const receiver = sender === 'client' ? 'server' : 'client';
  const reader = createFrameReader(sender);
  /** Whether a frame of the message under way has gone on. */
  let hasBegun = false;

  const dataFrame = ({ opcode, isLast }: Extract<Piece, { readonly kind: 'data' }>, payload: Buffer): readonly Buffer[] => {
    if (payload.length === 0 && !isLast) return [];
    const frame = writeFrame({ opcode: hasBegun ? opcodes.continuation : opcode, isFinal: isLast, payload }, receiver);
    hasBegun = !isLast;
    return [frame];
  };
  const relay = (piece: Piece): Relayed => {
    const passed = pass(piece, gate);
    if (passed.kind === 'hit') return { frames: [], stopped: passed };
    const { bytes } = passed;
    return { frames: piece.kind === 'data' ? dataFrame(piece, bytes) : [writeFrame({ opcode: piece.opcode, isFinal: true, payload: bytes }, receiver)] };
  };

  return {
    push(chunk) {
      const frames: Buffer[] = [];
      try {
        for (const piece of reader.read(chunk)) {
          const relayed = relay(piece);
          frames.push(...relayed.frames);
          if (relayed.stopped !== undefined) return { frames, stopped: relayed.stopped };
        }
        return { frames };
      } catch (error) {
        if (!(error instanceof FrameViolation)) throw error;
        return { frames, stopped: { kind: 'violation', message: error.message } };
      }
    },
  };
}

function pass(piece: Piece, gate: Gate): Detected {
  if (piece.kind === 'control') return gate.control(piece.bytes);
  const passed = gate.data(piece.bytes);
  if (passed.kind === 'hit' || !piece.isLast) return passed;
  const rest = gate.endOfMessage();
  return rest.kind === 'hit' ? rest : { kind: 'clear', bytes: Buffer.concat([passed.bytes, rest.bytes]) };
}
