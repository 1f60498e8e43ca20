import { peekJson } from '../../../dlp/json/peek-json.ts';
import { createEventEditor, type DialectSocket, type EventEditor, type MessageEdit } from '../../index.ts';
import type { CallState } from '../types.ts';
import { saidTokens, withSaid } from '../said-tokens.ts';
import { tellCall, type ToldOutcome } from '../tell-call.ts';
import { stagesFor } from '../text-stages.ts';

/** All answers of one WebSocket. */
export interface SocketAnswers {
  /** Whether one more may be waited for. */
  hasRoom(): boolean;
  /** A call has gone on. */
  await(state: CallState, lane: string): void;
  /** What becomes of the next message of the server. */
  edit(text: string): MessageEdit;
  /** What was held back of texts, as messages: the server says no more. */
  rest(): readonly string[];
  /** The WebSocket is over. Nobody gets an answer for nothing by leaving. */
  leave(): void;
}

const mostAwaited = 128;

/**
 * `unasked` is the call of an answer that nobody asked for, such as one that follows from what was added to another: it
 * counts as well.
 */
export function createAnswers(socket: DialectSocket, unasked: () => CallState): SocketAnswers {
  let awaited: readonly AwaitedAnswer[] = [];
  /** Filters what belongs to no answer, and is never told of. */
  let stray: AwaitedAnswer | undefined;
  const add = (answer: AwaitedAnswer): AwaitedAnswer => {
    awaited = [...awaited, answer];
    return answer;
  };
  const finish = (answer: AwaitedAnswer, end: AnswerEnd): void => {
    awaited = awaited.filter((each) => each !== answer);
    answer.tell(end);
  };
  /** Undefined for a piece of no answer that has begun here. */
  const answerOf = (lane: string, meaning: 'begins' | 'ends' | 'goes-on'): AwaitedAnswer | undefined => {
    const found =
      awaited.find((each) => each.lane === lane) ??
      awaited.find(({ stage }) => stage === 'waited-for') ??
      (awaited.length < mostAwaited ? undefined : awaited.at(-1));
    // A server that knows no lanes answers in one.
    if (found !== undefined) found.lane = lane;
    return found ?? (meaning === 'goes-on' ? undefined : add(awaitAnswer(unasked(), lane)));
  };
  /** An error with a status is about what has not begun; one without ends what is under way. */
  const failedOf = (lane: string, status: number | undefined): AwaitedAnswer | undefined => {
    const waiting = awaited.filter(({ stage }) => stage === 'waited-for');
    const inLane = awaited.find((each) => each.lane === lane);
    const first = waiting.find((each) => each.lane === lane) ?? waiting[0];
    return status === undefined ? (inLane ?? first) : (first ?? inLane);
  };
  return {
    hasRoom: () => awaited.length < mostAwaited,
    await: (state, lane) => void add(awaitAnswer(state, lane)),
    edit(text) {
      const { type, lane, status } = read(text, socket);
      const meaning = socket.tells(type);
      if (meaning === 'apart') return 'same';
      const answer = meaning === 'fails' ? failedOf(lane, status) : answerOf(lane, meaning);
      if (answer === undefined) return (stray ??= awaitAnswer(unasked(), lane)).edit(text);
      if (meaning === 'begins') answer.begin();
      const edited = answer.edit(text);
      if (meaning === 'ends') finish(answer, { kind: 'ended' });
      if (meaning === 'fails') finish(answer, { kind: 'failed', status });
      return edited;
    },
    rest: () => [...awaited, ...(stray === undefined ? [] : [stray])].flatMap((answer) => answer.end()),
    leave: () => {
      for (const answer of awaited) finish(answer, { kind: 'cut' });
    },
  };
}

function read(
  text: string,
  { lane: member }: DialectSocket,
): { readonly type: string; readonly lane: string; readonly status: number | undefined } {
  const [type, lane, status] = peekJson(Buffer.from(text), [['type'], [member], ['status']]);
  return {
    type: typeof type === 'string' ? type : '',
    lane: laneOf(lane),
    status:
      typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined,
  };
}

export function laneOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** How an answer came to its end. `cut`: the WebSocket did. */
type AnswerEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'failed' /** Of HTTP, where the server said one. */; readonly status: number | undefined };

/** An answer of a server that is waited for or under way. */
interface AwaitedAnswer extends EventEditor {
  lane: string;
  readonly stage: 'waited-for' | 'begun';
  begin(): void;
  /** Counts it, and tells the journal. */
  tell(end: AnswerEnd): void;
}

function awaitAnswer(state: CallState, lane: string): AwaitedAnswer {
  const { dialect, gateway, began, kept } = state;
  const counting = dialect.openMeter();
  const meter = kept?.metered(counting, { status: 200, fields: [] }, 'websocket') ?? counting;
  const said = saidTokens(stagesFor(state));
  const editor = createEventEditor({ dialect, meter, open: said.open, usageOnly: 'keep' });
  let stage: AwaitedAnswer['stage'] = 'waited-for';
  let firstByte: number | undefined;
  const outcome = (end: AnswerEnd): ToldOutcome => {
    const first = firstByte === undefined ? {} : { firstByte };
    // What the server did not take up has cost nothing.
    if (end.kind === 'failed' && end.status !== undefined && stage === 'waited-for')
      return { status: end.status, ...first, completeness: 'complete', toolCalls: [] };
    return {
      ...withSaid(meter.outcome(end.kind === 'cut' ? 'cut' : 'ended'), said.count()),
      status: firstByte === undefined ? 0 : 200,
      ...first,
    };
  };
  return {
    lane,
    get stage() {
      return stage;
    },
    begin: () => void (stage = 'begun'),
    edit(data) {
      firstByte ??= gateway.now() - began;
      return editor.edit(data);
    },
    end: () => editor.end(),
    tell: (end) => tellCall(state, outcome(end)),
  };
}
