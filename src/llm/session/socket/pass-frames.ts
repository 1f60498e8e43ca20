import { FrameViolation, opcodes } from '../../../credentials/websocket/frame-head.ts';
import { createWebSocketReader, type FramePiece } from '../../../credentials/websocket/frame-reader.ts';
import { type Ending, type Passed, writeFrame } from '../../../credentials/websocket/framed-tunnel.ts';
import type { MessageFrame } from '../../index.ts';

/** Result of reading one frame. */
export interface Brought {
  /** Control frames and whole messages for the other side. */
  readonly onward?: readonly MessageFrame[];
  /** Whole messages for the side that sent the frame. */
  readonly back?: readonly MessageFrame[];
  readonly ending?: Ending;
}

/**
 * Reads one side of a WebSocket frame by frame, and returns the frames that replace those of messages and control.
 * Frames that break the protocol end the WebSocket.
 */
export function passFrames(
  sender: 'client' | 'server',
  take: (frame: MessageFrame, of: FramePiece['opcode']) => Brought,
): (chunk: Buffer) => Passed {
  const other = sender === 'client' ? 'server' : 'client';
  const reader = createWebSocketReader(sender);
  let isWithin = false;
  const frameOf = (piece: FramePiece): MessageFrame => {
    if (piece.kind === 'control') return { opcode: piece.opcode, final: true, payload: piece.bytes };
    const opcode = isWithin ? opcodes.continuation : piece.opcode;
    isWithin = !piece.isLast;
    return { opcode, final: piece.isLast, payload: piece.bytes };
  };
  return (chunk) => {
    const onward: Buffer[] = [];
    const back: Buffer[] = [];
    try {
      for (const piece of reader.read(chunk)) {
        const brought = take(frameOf(piece), piece.opcode);
        for (const frame of brought.onward ?? []) onward.push(writtenTo(other, frame));
        for (const frame of brought.back ?? []) back.push(writtenTo(sender, frame));
        if (brought.ending !== undefined) return { onward, back, ending: brought.ending };
      }
      return { onward, back };
    } catch (error) {
      if (!(error instanceof FrameViolation)) throw error;
      return { onward, back, ending: { status: 1002, reason: error.message } };
    }
  };
}

export function textFrame(text: string): MessageFrame {
  return { opcode: opcodes.text, final: true, payload: Buffer.from(text) };
}

export function isControlFrame({ opcode }: MessageFrame): boolean {
  return opcode >= opcodes.close;
}

/** Joins each whole message into one frame, because a million frames carry no more than one. */
export function joinedFrames(frames: readonly MessageFrame[], opcode: number): readonly MessageFrame[] {
  const messages: MessageFrame[] = [];
  let parts: Buffer[] = [];
  for (const { payload, final } of frames) {
    parts.push(payload);
    if (!final) continue;
    messages.push({ opcode, final, payload: Buffer.concat(parts) });
    parts = [];
  }
  return messages;
}

function writtenTo(receiver: 'client' | 'server', { opcode, final, payload }: MessageFrame): Buffer {
  return writeFrame({ opcode: opcode as FramePiece['opcode'], isFinal: final, payload }, receiver);
}
