import { opcodes } from '../../../credentials/index.ts';
import { peekJson } from '../../../dlp/index.ts';
import { field } from '../../../egress/index.ts';
import { createMessageEditor, type DialectSocket, type MessageEdit, type MessageFrame, type Unread } from '../../../llm/index.ts';
import type { CallState } from '../carry-call.ts';
import { refusedUnkept } from '../log/index.ts';
import { type CallRefusal, prepareCall, type PreparedCall, saidOf } from '../prepare-call.ts';
import { longestContent } from '../read-content.ts';
import { type Answers, laneOf } from './answers.ts';
import { clientRefusals, refusalEvent, unknownType } from './client-refusals.ts';
import { type Brought, isControlFrame, joined, textFrame } from './pass-frames.ts';

export interface ClientSide {
  readonly socket: DialectSocket;
  readonly answers: Answers;
  /** A call as the policy looks into it now; undefined where nobody can. */
  state(): CallState | undefined;
  /** The same as the policy did when the WebSocket was opened. */
  first(): CallState;
}

/** What a client says: each message is gathered whole and treated as a request of HTTP is. One that is refused is answered by an error, and the WebSocket stays open. */
export function clientMessages(side: ClientSide): (frame: MessageFrame, of: number) => Brought {
  const messages = new ClientMessages(side);
  return (frame, of) => (isControlFrame(frame) ? { onward: [frame] } : messages.take(frame, of));
}

class ClientMessages {
  readonly #side: ClientSide;
  readonly #editor = createMessageEditor((text) => this.#edit(text), { limit: longestContent, onUnread: (why) => void (this.#unread = why) });
  /** `drops`: until the message ends. */
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
    return { onward, back: this.#back };
  }

  #read(frame: MessageFrame, of: number): readonly MessageFrame[] {
    if (of === opcodes.binary) return this.#drop(clientRefusals.binary);
    this.#unread = undefined;
    const frames = this.#editor.push(frame);
    const unread = this.#unread as Unread | undefined;
    if (unread === undefined) return joined(frames, of);
    return this.#drop(unread === 'too-long' ? clientRefusals.tooLong : clientRefusals.notText);
  }

  /** What was not looked into goes nowhere. */
  #drop(refusal: CallRefusal): readonly [] {
    this.#mode = 'drops';
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
    const prepared = current === undefined ? clientRefusals.closed : asks === undefined ? unknownType(socket) : this.#prepare(call, bytes, asks);
    if (prepared.kind === 'refused') {
      this.#refuse(call, prepared, lane);
      return 'drop';
    }
    call.kept?.request({ method: 'GET', fields: [field('content-type', 'application/json')] }, prepared.bytes);
    if (asks === 'asks') answers.await(call, lane);
    // It goes into an answer that is counted already.
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

/** What the path says holds. */
function withSaid(state: CallState, said: ReturnType<typeof saidOf>): CallState {
  return { ...state, call: { ...said, ...state.call } };
}

/** What is added to an answer is no call of its own, and is kept with none. */
function keptWhere(asks: 'asks' | 'adds' | undefined, call: CallState): CallState {
  const kept = asks === 'asks' ? call.gateway.keep?.(call) : undefined;
  return kept === undefined ? call : { ...call, kept };
}
