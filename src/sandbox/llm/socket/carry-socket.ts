import type { Duplex } from 'node:stream';
import { framedTunnel, writeFrame } from '../../../credentials/index.ts';
import { type IncomingResponse, type OutgoingRequest, type Refused, type Send, withoutField } from '../../../egress/index.ts';
import type { DialectSocket } from '../../../llm/index.ts';
import { agentOf } from '../agent-of.ts';
import type { CallState, LookedCall } from '../carry-call.ts';
import { refuseCall } from '../refuse-call.ts';
import { createAnswers } from './answers.ts';
import { clientMessages } from './client-messages.ts';
import { passFrames, textFrame } from './pass-frames.ts';
import { serverMessages } from './server-messages.ts';

export interface LookedSocket {
  /** As the policy is when it is opened. */
  readonly first: LookedCall;
  /** As it is now; undefined where it is invalid, or looks into this no more. */
  now(): LookedCall | undefined;
}

/** A WebSocket to a server of models. Every message is a call, or an event of an answer; those of a dialect that nobody here can read are refused with the handshake. */
export async function carrySocket(request: OutgoingRequest, send: Send, { first, now }: LookedSocket): Promise<IncomingResponse | Refused> {
  const agent = agentOf(request);
  const stateOf = (looked: LookedCall): CallState => ({ ...looked, began: looked.gateway.now(), agent });
  const { socket } = first.dialect;
  if (socket === undefined || first.call.operation !== 'generate') return refuseCall(stateOf(first), { code: 'websocket', status: 403, message: 'WebSockets of this kind to language models cannot be looked into, so they are refused; use HTTP' });
  // A compressed message cannot be looked into. Extensions are offered, never needed: RFC 6455 §9.1.
  const answer = await send({ ...request, fields: withoutField(request.fields, 'sec-websocket-extensions') });
  if (answer.kind === 'refused' || answer.tunnel === undefined) return answer;
  const current = (): CallState | undefined => {
    const looked = now();
    return looked === undefined ? undefined : stateOf(looked);
  };
  return { ...answer, tunnel: lookedInto(answer.tunnel, { socket, first: () => stateOf(first), state: current }) };
}

interface SocketStates {
  readonly socket: DialectSocket;
  first(): CallState;
  state(): CallState | undefined;
}

function lookedInto(tunnel: Duplex, { socket, first, state }: SocketStates): Duplex {
  const answers = createAnswers(socket, () => state() ?? first());
  const shown = framedTunnel(tunnel, {
    fromClient: passFrames('client', clientMessages({ socket, answers, state, first })),
    fromServer: passFrames('server', serverMessages(answers)),
    atEnd() {
      const rest = answers.rest().map((text) => writeFrame({ ...textFrame(text), opcode: 0x1, isFinal: true }, 'client'));
      answers.leave();
      return rest;
    },
  });
  shown.once('close', () => {
    try {
      answers.leave();
    } catch {
      // The journal is lost, which others find out as well; an event has nobody to tell.
    }
  });
  return shown;
}
