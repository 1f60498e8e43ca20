import { peekJson } from '../../../dlp/json/peek-json.ts';
import { createEventEditor, type DialectSocket, type EventEditor, type MessageEdit } from '../../index.ts';
import type { CallState } from '../types.ts';
import { saidTokens, withSaid } from '../said-tokens.ts';
import { tellCall, type ToldOutcome } from '../tell-call.ts';
import { stagesFor } from '../text-stages.ts';

/** All answers of one WebSocket. */
export interface SocketAnswers {
  /** Returns true if one more answer may be expected. */
  hasRoom(): boolean;
  /** Records a call that was sent, and expects its answer. */
  await(state: CallState, lane: string): void;
  /** Returns the result for the server's next message. */
  edit(text: string): MessageEdit;
  /** Returns the text held back, as messages. Called when the server sends no more. */
  rest(): readonly string[];
  /** Ends the WebSocket. Unfinished answers still count. */
  leave(): void;
}

const mostAwaited = 128;

/**
 * `unasked` is the call for an unrequested answer, such as one that an addition to another answer caused. It counts
 * too.
 */
export function createAnswers(socket: DialectSocket, unasked: () => CallState): SocketAnswers {
  let awaited: readonly AwaitedAnswer[] = [];
  /** Filters messages outside any answer, without recording a call. */
  let stray: AwaitedAnswer | undefined;
  const add = (answer: AwaitedAnswer): AwaitedAnswer => {
    awaited = [...awaited, answer];
    return answer;
  };
  const finish = (answer: AwaitedAnswer, end: AnswerEnd): void => {
    awaited = awaited.filter((each) => each !== answer);
    answer.tell(end);
  };
  /** Undefined for a piece of an answer that has not begun. */
  const answerOf = (lane: string, meaning: 'begins' | 'ends' | 'goes-on'): AwaitedAnswer | undefined => {
    const found =
      awaited.find((each) => each.lane === lane) ??
      awaited.find(({ stage }) => stage === 'waited-for') ??
      (awaited.length < mostAwaited ? undefined : awaited.at(-1));
    // If the server does not use lanes, all answers share one.
    if (found !== undefined) found.lane = lane;
    return found ?? (meaning === 'goes-on' ? undefined : add(awaitAnswer(unasked(), lane)));
  };
  /** An error with a status ends an answer that has not begun. An error without a status ends the current one. */
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

/** End of an answer. `cut`: the WebSocket ended first. */
type AnswerEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'failed' /** HTTP status, if the server gave one. */; readonly status: number | undefined };

/** An answer of a server, which is expected or has begun. */
interface AwaitedAnswer extends EventEditor {
  lane: string;
  readonly stage: 'waited-for' | 'begun';
  begin(): void;
  /** Counts the answer, and records it in the journal. */
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
    // A request that the server did not accept cost nothing.
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
