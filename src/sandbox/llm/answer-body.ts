import { type Body, bodyFrom, type IncomingResponse, valueOf } from '../../egress/index.ts';
import { createAnswerEditor, type Framing } from '../../llm/index.ts';
import type { CallState } from './carry-call.ts';
import { saidTokens, withSaid } from './said-tokens.ts';
import { stagesFor } from './text-stages.ts';
import { tellCall } from './tell-call.ts';

export interface AnswerBodyOptions {
  readonly state: CallState;
  readonly usageOnly: 'keep' | 'drop';
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** The answer as the client may see it. The journal is told when it has ended, or the client is gone. */
export function answerBody(answer: IncomingResponse, { state, usageOnly, signal }: AnswerBodyOptions): IncomingResponse {
  const { gateway, dialect, call, began, kept } = state;
  const { body, status } = answer;
  const framing = framingOf(valueOf(answer.fields, 'content-type'));
  const firstByte = gateway.now() - began;
  if (body === undefined || framing === undefined || status >= 300 || call.operation === 'other') {
    const read = kept?.whole(answer, signal) ?? answer;
    tellCall(state, { status, firstByte, completeness: 'complete', toolCalls: [] });
    return read;
  }
  const counting = dialect.openMeter();
  const meter = kept?.metered(counting, answer, framing) ?? counting;
  const said = saidTokens(stagesFor(state));
  const tell = once(signal, (end) => tellCall(state, { ...withSaid(meter.outcome(end), said.count()), status, firstByte }));
  const editor = createAnswerEditor({ dialect, framing, meter, open: said.open, usageOnly });
  return { ...answer, fields: answer.fields.filter(({ key }) => !ofContent.has(key)), body: edited(body, editor, tell) };
}

/** What holds for the content as the server sent it. Sources: RFC 9530, RFC 3230, RFC 1864. */
const ofContent: ReadonlySet<string> = new Set(['content-length', 'content-md5', 'digest', 'content-digest', 'repr-digest']);

type Tell = (end: 'ended' | 'cut') => void;

/** Attack: of a client that leaves before it has read anything, nobody reads the answer either, and the call would be free. */
function once(signal: AbortSignal, tell: Tell): Tell {
  let isTold = false;
  const told: Tell = (end) => {
    signal.removeEventListener('abort', onAbort);
    if (isTold) return;
    isTold = true;
    tell(end);
  };
  const onAbort = (): void => {
    try {
      told('cut');
    } catch {
      // The journal is lost, which others find out as well; an event has nobody to tell.
    }
  };
  if (signal.aborted) told('cut');
  else signal.addEventListener('abort', onAbort);
  return told;
}

function edited(body: Body, editor: ReturnType<typeof createAnswerEditor>, tell: Tell): Body {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    let end: 'ended' | 'cut' = 'cut';
    try {
      for await (const bytes of body) {
        const out = editor.push(bytes);
        if (out.length > 0) yield out;
      }
      const rest = editor.end();
      end = 'ended';
      if (rest.length > 0) yield rest;
    } finally {
      tell(end);
    }
  }
  return bodyFrom(chunks(), { trailers: () => body.trailers() });
}

const framings: readonly (readonly [type: RegExp, framing: Exclude<Framing, 'websocket'>])[] = [
  [/^text\/event-stream\b/iu, 'sse'],
  [/^application\/vnd\.amazon\.eventstream\b/iu, 'event-stream'],
  [/^application\/(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines)\b/iu, 'json-lines'],
  [/^application\/(?:[\w.-]+\+)?json\b/iu, 'json'],
];

function framingOf(type: string | undefined): Exclude<Framing, 'websocket'> | undefined {
  return framings.find(([pattern]) => pattern.test(type?.trim() ?? ''))?.[1];
}
