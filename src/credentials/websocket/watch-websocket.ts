import type { Duplex } from 'node:stream';
import type { Detector, Hit, Masker } from '../masking/index.ts';
import { createFrameRelay, type Relayed } from './frame-relay.ts';
import { framedTunnel, type Passed } from './framed-tunnel.ts';
import { detectingGate, maskingGate, openGate } from './gate.ts';

export interface WebSocketWatch {
  /** What must not leave. */
  readonly outgoing: Detector;
  /** Masks what comes in. Absent: it is left as it is. */
  readonly incoming?: Masker;
  /** Something was found that must not leave, and has not. Called once at most. */
  readonly onHit: (hit: Hit) => void;
  /** A secret of this credential came in, and was masked. */
  readonly onMasked?: (credential: string) => void;
}

/**
 * The tunnel of an opened WebSocket, seen from the client, as a stream that is looked into in both directions: text,
 * binary and control frames, across the fragments of a message. What a message ends with goes on with its end, so of
 * something that is spread over several messages only what is in the last one is stopped or masked. A find is never sent:
 * both sides are told 1008 (policy violation) and the tunnel ends; bytes that are no frames end it with 1002. No
 * extension may have been agreed on: nothing here looks into compressed messages.
 */
export function watchWebSocket(tunnel: Duplex, { outgoing, incoming, onHit, onMasked = () => undefined }: WebSocketWatch): Duplex {
  const fromClient = createFrameRelay('client', detectingGate(outgoing));
  const fromServer = createFrameRelay('server', incoming === undefined ? openGate : maskingGate(incoming, onMasked));
  return framedTunnel(tunnel, { fromClient: (chunk) => passed(fromClient.push(chunk), onHit), fromServer: (chunk) => passed(fromServer.push(chunk), onHit) });
}

/** Who is told of a find is told before anything is written. */
function passed({ frames, stopped }: Relayed, onHit: WebSocketWatch['onHit']): Passed {
  switch (stopped?.kind) {
    case undefined:
      return { onward: frames };
    case 'hit':
      onHit(stopped.hit);
      return { onward: frames, ending: { status: 1008, reason: 'A message held a credential that must not leave the box.' } };
    case 'violation':
      return { onward: frames, ending: { status: 1002, reason: stopped.message } };
  }
}
