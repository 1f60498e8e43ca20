import type { Duplex } from 'node:stream';
import type { Detected, Detector, Hit, Masker, PhantomMode } from '../masking/types.ts';
import { FrameViolation, opcodes } from './frame-head.ts';
import { createWebSocketReader, type FramePiece } from './frame-reader.ts';
import { framedTunnel, type Passed, writeFrame } from './framed-tunnel.ts';

export interface WebSocketWatch {
  /** Finds content that must not leave. */
  readonly outgoing: Detector;
  /** Mode for messages. Default: `stop`. */
  readonly phantoms?: PhantomMode;
  /** Masks incoming messages. Absent: they pass unchanged. */
  readonly incoming?: Masker;
  /** Called at most once, for a hit whose bytes have not left. */
  readonly onHit: (hit: Hit) => void;
  /** Called when a secret of this credential came in and was masked. */
  readonly onMasked?: (credential: string) => void;
}

/**
 * Wraps the tunnel of an opened WebSocket, as the client sees it, and searches both directions. Covers text, binary and
 * control frames, across the fragments of a message. The end of a message is never kept back. If a secret is spread
 * over several messages, only the part in the last one is stopped or masked.
 *
 * A hit is never sent: both sides get status 1008 (policy violation) and the tunnel ends. Bytes that are not valid
 * frames end it with 1002. No extension may have been negotiated, because compressed messages are not searched.
 */
export function watchWebSocket(
  tunnel: Duplex,
  { outgoing, phantoms = 'stop', incoming, onHit, onMasked = () => undefined }: WebSocketWatch,
): Duplex {
  const fromClient = createFrameRelay('client', detectingGate(outgoing, phantoms));
  const fromServer = createFrameRelay('server', incoming === undefined ? openGate : maskingGate(incoming, onMasked));
  return framedTunnel(tunnel, {
    fromClient: (chunk) => passed(fromClient.push(chunk), onHit),
    fromServer: (chunk) => passed(fromServer.push(chunk), onHit),
  });
}

/** Reports a hit before anything is written. */
function passed({ frames, stopped }: Relayed, onHit: WebSocketWatch['onHit']): Passed {
  switch (stopped?.kind) {
    case undefined:
      return { onward: frames };
    case 'hit':
      onHit(stopped.hit);
      return {
        onward: frames,
        ending: { status: 1008, reason: 'A message held a credential that must not leave the box.' },
      };
    case 'violation':
      return { onward: frames, ending: { status: 1002, reason: stopped.message } };
  }
}

type Stopped = { readonly kind: 'hit'; readonly hit: Hit } | { readonly kind: 'violation'; readonly message: string };

/** Whole frames that pass, in order, and the reason if no more frames pass. */
interface Relayed {
  readonly frames: readonly Buffer[];
  readonly stopped?: Stopped;
}

/** One direction of a WebSocket. */
interface FrameRelay {
  /** Must not be called after the relay has stopped. */
  push(chunk: Buffer): Relayed;
}

/**
 * Relays frames whose payload a gate lets pass. Frames are encoded again, so that none announces octets that are kept
 * back. Small frames keep their length. Large messages, and messages with octets that are kept back, are split at other
 * positions. RFC 6455 §5.4 allows this if there are no extensions.
 */
function createFrameRelay(sender: 'client' | 'server', gate: Gate): FrameRelay {
  const receiver = sender === 'client' ? 'server' : 'client';
  const reader = createWebSocketReader(sender);
  /** Whether a frame of the unfinished message has passed. */
  let hasBegun = false;

  const dataFrame = (
    { opcode, isLast }: Extract<FramePiece, { readonly kind: 'data' }>,
    payload: Buffer,
  ): readonly Buffer[] => {
    if (payload.length === 0 && !isLast) return [];
    const frame = writeFrame({ opcode: hasBegun ? opcodes.continuation : opcode, isFinal: isLast, payload }, receiver);
    hasBegun = !isLast;
    return [frame];
  };
  const relay = (piece: FramePiece): Relayed => {
    const passed = pass(piece, gate);
    if (passed.kind === 'hit') return { frames: [], stopped: passed };
    const { bytes } = passed;
    return {
      frames:
        piece.kind === 'data'
          ? dataFrame(piece, bytes)
          : [writeFrame({ opcode: piece.opcode, isFinal: true, payload: bytes }, receiver)],
    };
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

function pass(piece: FramePiece, gate: Gate): Detected {
  if (piece.kind === 'control') return gate.control(piece.bytes);
  const passed = gate.data(piece.bytes);
  if (passed.kind === 'hit' || !piece.isLast) return passed;
  const rest = gate.endOfMessage();
  return rest.kind === 'hit' ? rest : { kind: 'clear', bytes: Buffer.concat([passed.bytes, rest.bytes]) };
}

/** Searches one direction of a WebSocket. */
interface Gate {
  /** Takes the next bytes of a message, and returns those that may pass. */
  data(bytes: Buffer): Detected;
  /** The message is complete. Returns the bytes that were kept back. */
  endOfMessage(): Detected;
  /** Takes the whole payload of a control frame. Keeps nothing back. */
  control(bytes: Buffer): Detected;
}

/** Stops everything that the detector finds. */
function detectingGate(detector: Detector, phantoms: PhantomMode): Gate {
  const detecting = detector.open(phantoms);
  return {
    data: (bytes) => detecting.push(bytes),
    endOfMessage: () => detecting.end(),
    control(bytes) {
      const hit = detector.find(bytes);
      return hit === undefined ? clear(bytes) : { kind: 'hit', hit };
    },
  };
}

/** Lets all messages in, with secrets masked. */
function maskingGate(masker: Masker, onMasked: (credential: string) => void): Gate {
  const masking = masker.open(onMasked);
  return {
    data: (bytes) => clear(masking.push(bytes)),
    endOfMessage: () => clear(masking.end()),
    control: (bytes) => clear(Buffer.from(masker.maskText(bytes.toString('latin1'), onMasked), 'latin1')),
  };
}

/** Lets everything pass unchanged. */
const openGate: Gate = { data: clear, endOfMessage: () => clear(Buffer.alloc(0)), control: clear };

function clear(bytes: Buffer): Detected {
  return { kind: 'clear', bytes };
}
