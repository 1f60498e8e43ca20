import type { Duplex } from 'node:stream';
import { opcodes } from '../../../credentials/websocket/frame-head.ts';
import { framedTunnel, writeFrame } from '../../../credentials/websocket/framed-tunnel.ts';
import { peekJson } from '../../../dlp/json/peek-json.ts';
import { ContentRefused, type HeldContent, type HeldContents } from '../../../egress/http/held-content.ts';
import type { Send } from '../../../egress/http/interceptor.ts';
import { type IncomingResponse, type OutgoingRequest, field, withoutField } from '../../../egress/http/message.ts';
import type { Refused } from '../../../egress/types.ts';
import {
  createMessageEditor,
  type DialectSocket,
  type MessageEdit,
  type MessageFrame,
  type Unread,
} from '../../index.ts';
import { callingAgent, longestContent } from '../carry-call.ts';
import { type CallRefusal, prepareCall, type PreparedCall, saidOf, refusedUnkept } from '../prepare-call.ts';
import { refuseCall, tellCall } from '../tell-call.ts';
import type { CallState, LookedCall } from '../types.ts';
import { type SocketAnswers, createAnswers, laneOf } from './answers.ts';
import { type Brought, isControlFrame, joinedFrames, passFrames, textFrame } from './pass-frames.ts';

export interface LookedSocket {
  /** By the policy when the WebSocket was opened. */
  readonly first: LookedCall;
  /** By the current policy. Undefined if it is invalid or no longer inspects this WebSocket. */
  now(): LookedCall | undefined;
  /** Content that the session buffers. */
  readonly contents: HeldContents;
}

/**
 * Serves a WebSocket to a server of models. Every message is a call, or an event of an answer. A dialect that Holdfast
 * cannot read is refused at the handshake.
 */
export async function carrySocket(
  request: OutgoingRequest,
  send: Send,
  { first, now, contents }: LookedSocket,
): Promise<IncomingResponse | Refused> {
  const agent = callingAgent(request);
  const stateOf = (looked: LookedCall): CallState => ({ ...looked, began: looked.gateway.now(), agent });
  const { socket } = first.dialect;
  if (socket === undefined || first.call.operation !== 'generate')
    return refuseCall(stateOf(first), {
      code: 'websocket',
      status: 403,
      message: 'Holdfast cannot inspect WebSockets of this kind to language models, so they are refused; use HTTP',
    });
  // A compressed message cannot be searched, so extensions are dropped. They are optional: RFC 6455 §9.1.
  const answer = await send({ ...request, fields: withoutField(request.fields, 'sec-websocket-extensions') });
  if (answer.kind === 'refused' || answer.tunnel === undefined) return answer;
  const current = (): CallState | undefined => {
    const looked = now();
    return looked === undefined ? undefined : stateOf(looked);
  };
  const states = { socket, first: () => stateOf(first), state: current, held: contents.open() };
  return { ...answer, tunnel: lookedInto(answer.tunnel, states) };
}

interface SocketStates {
  readonly socket: DialectSocket;
  readonly held: HeldContent;
  first(): CallState;
  state(): CallState | undefined;
}

function lookedInto(tunnel: Duplex, { socket, first, state, held }: SocketStates): Duplex {
  const answers = createAnswers(socket, () => state() ?? first());
  const messages = new ClientMessages({ socket, answers, state, first, held });
  const shown = framedTunnel(tunnel, {
    fromClient: passFrames('client', clientMessages(messages)),
    fromServer: passFrames('server', serverMessages(answers)),
    atEnd() {
      const rest = answers
        .rest()
        .map((text) => writeFrame({ ...textFrame(text), opcode: 0x1, isFinal: true }, 'client'));
      answers.leave();
      return rest;
    },
  });
  shown.once('close', () => {
    messages.leave();
    try {
      answers.leave();
    } catch {
      // The journal is broken, which is noticed elsewhere too. An event has no caller that could get the error.
    }
  });
  return shown;
}

/**
 * Handles messages of a server. Each is an event of an answer. Only text is edited. A message that is too long to
 * search ends the WebSocket.
 */
function serverMessages(answers: SocketAnswers): (frame: MessageFrame, of: number) => Brought {
  let unread: Unread | undefined;
  const editor = createMessageEditor((text) => answers.edit(text), {
    limit: longestContent,
    onUnread: (why) => void (unread = why),
  });
  return (frame, of) => {
    if (isControlFrame(frame))
      return { onward: frame.opcode === opcodes.close ? [...answers.rest().map(textFrame), frame] : [frame] };
    // Clients also read JSON from binary messages.
    const frames = editor.push(
      of === opcodes.binary && frame.opcode === opcodes.binary ? { ...frame, opcode: opcodes.text } : frame,
    );
    if (unread === 'too-long')
      return { ending: { status: 1009, reason: 'A message of the server is too long to be inspected.' } };
    return { onward: joinedFrames(frames, of) };
  };
}

interface ClientSide {
  readonly socket: DialectSocket;
  readonly held: HeldContent;
  readonly answers: SocketAnswers;
  /** Returns the call as the current policy inspects it. Undefined if it cannot. */
  state(): CallState | undefined;
  /** Returns the call as the policy inspected it when the WebSocket was opened. */
  first(): CallState;
}

/**
 * Handles messages of a client. Each is collected whole and treated like an HTTP request. A refused message gets an
 * error, and the WebSocket stays open.
 */
function clientMessages(messages: ClientMessages): (frame: MessageFrame, of: number) => Brought {
  return (frame, of) => (isControlFrame(frame) ? { onward: [frame] } : messages.take(frame, of));
}

class ClientMessages {
  readonly #side: ClientSide;
  readonly #editor = createMessageEditor((text) => this.#edit(text), {
    limit: longestContent,
    onUnread: (why) => void (this.#unread = why),
  });
  /** `drops`: drops frames until the message ends. */
  #mode: 'reads' | 'drops' = 'reads';
  #unread: Unread | undefined;
  #back: readonly MessageFrame[] = [];

  constructor(side: ClientSide) {
    this.#side = side;
  }

  take(frame: MessageFrame, of: number): Brought {
    this.#back = [];
    const onward = this.#mode === 'reads' ? this.#read(frame, of) : [];
    if (frame.final) this.#mode = 'reads';
    if (frame.final) this.#side.held.release();
    return { onward, back: this.#back };
  }

  leave(): void {
    this.#side.held.release();
  }

  #read(frame: MessageFrame, of: number): readonly MessageFrame[] {
    if (of === opcodes.binary) return this.#drop(clientRefusals.binary);
    if (!this.#hasRoomFor(frame)) return this.#drop(clientRefusals.noRoom);
    this.#unread = undefined;
    const frames = this.#editor.push(frame);
    const unread = this.#unread as Unread | undefined;
    if (unread === undefined) return joinedFrames(frames, of);
    return this.#drop(unread === 'too-long' ? clientRefusals.tooLong : clientRefusals.notText);
  }

  #hasRoomFor({ payload }: MessageFrame): boolean {
    try {
      this.#side.held.add(payload.length);
      return true;
    } catch (error) {
      if (error instanceof ContentRefused) return false;
      throw error;
    }
  }

  /** Drops content that was not searched. */
  #drop(refusal: CallRefusal): readonly [] {
    this.#mode = 'drops';
    this.#editor.end();
    this.#side.held.release();
    this.#refuse(this.#side.state() ?? this.#side.first(), refusal, '');
    return [];
  }

  #edit(text: string): MessageEdit {
    const bytes = Buffer.from(text);
    const { socket, answers, state, first } = this.#side;
    const [type, named] = peekJson(bytes, [['type'], [socket.lane]]);
    const asks = typeof type === 'string' && Object.hasOwn(socket.asks, type) ? socket.asks[type] : undefined;
    const lane = laneOf(named);
    const current = state();
    const call = keptWhere(asks, withSaid(current ?? first(), saidOf(bytes, socket.models)));
    const prepared =
      current === undefined
        ? clientRefusals.closed
        : asks === undefined
          ? unknownType(socket)
          : this.#prepare(call, bytes, asks);
    if (prepared.kind === 'refused') {
      this.#refuse(call, prepared, lane);
      return 'drop';
    }
    call.kept?.request({ method: 'GET', fields: [field('content-type', 'application/json')] }, prepared.bytes);
    if (asks === 'asks') answers.await(call, lane);
    // The message belongs to an answer that is already counted.
    else call.gateway.spending.free(call.call);
    return { data: prepared.bytes?.toString() ?? text };
  }

  #prepare(call: CallState, bytes: Buffer, asks: 'asks' | 'adds'): PreparedCall {
    if (asks === 'adds' && call.settings.log.texts === 'demanded') return clientRefusals.unkept;
    const unkept = refusedUnkept(call);
    if (unkept !== undefined) return { kind: 'refused', ...unkept };
    return this.#side.answers.hasRoom() ? prepareCall(call, bytes) : clientRefusals.tooMany;
  }

  #refuse(call: CallState, refusal: CallRefusal, lane: string): void {
    this.#back = [...this.#back, textFrame(refusalEvent(call, refusal, lane))];
  }
}

/** If the path names a model, the path wins. */
function withSaid(state: CallState, said: ReturnType<typeof saidOf>): CallState {
  return { ...state, call: { ...said, ...state.call } };
}

/** An addition to an answer is not a separate call, and is not kept. */
function keptWhere(asks: 'asks' | 'adds' | undefined, call: CallState): CallState {
  const kept = asks === 'asks' ? call.gateway.keep?.(call) : undefined;
  return kept === undefined ? call : { ...call, kept };
}

type RefusedMessage = { readonly kind: 'refused' } & CallRefusal;

/** Reasons that a client's message is refused, in addition to those for HTTP requests. */
const clientRefusals = {
  binary: unreadable(400, 'a binary message cannot be inspected; send it as text'),
  notText: unreadable(400, 'a message is not UTF-8 text'),
  noRoom: unreadable(429, 'too many long messages are being inspected at the same time; try again'),
  tooLong: unreadable(413, `a message has over ${longestContent / 2 ** 20} MiB, which is more than Holdfast inspects`),
  closed: unreadable(403, 'the policy has changed, and Holdfast can no longer inspect this WebSocket; open it again'),
  unkept: {
    kind: 'refused',
    code: 'log-failed',
    status: 403,
    message: 'this machine keeps conversations with models, and cannot keep additions to a running answer; try again',
  },
  tooMany: {
    kind: 'refused',
    code: 'rate-limited',
    status: 429,
    message: 'too many answers are pending on this WebSocket',
  },
} as const satisfies Readonly<Record<string, RefusedMessage>>;

function unknownType({ asks }: DialectSocket): RefusedMessage {
  return unreadable(
    400,
    `a message is not JSON, or its type is unknown; the known types are ${Object.keys(asks).join(' and ')}`,
  );
}

/** Returns the client's error event in the provider's form, and records it in the journal. */
function refusalEvent(state: CallState, { code, status: asked, message }: CallRefusal, lane: string): string {
  const { dialect } = state;
  const refusal = { status: asked, message: `Holdfast: ${message}` };
  const { status } = dialect.refusal(refusal);
  tellCall(state, { status, completeness: 'complete', toolCalls: [], refusal: { code, message } });
  const event = dialect.refusalEvent?.(refusal);
  return JSON.stringify({
    ...(typeof event === 'object' ? event : {}),
    ...(lane === '' || dialect.socket === undefined ? {} : { [dialect.socket.lane]: lane }),
  });
}

function unreadable(status: number, message: string): RefusedMessage {
  return { kind: 'refused', code: 'unreadable', status, message };
}
