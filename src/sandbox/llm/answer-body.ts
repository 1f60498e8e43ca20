import { type Body, bodyFrom, type IncomingResponse, valueOf, withoutField } from '../../egress/index.ts';
import { createAnswerEditor, type Framing, type Meter } from '../../llm/index.ts';
import type { CallState } from './carry-call.ts';
import { stagesFor } from './text-stages.ts';
import { tellCall } from './tell-call.ts';

/** The answer as the client may see it. The journal is told when it has ended, or the client is gone. */
export function answerBody(answer: IncomingResponse, state: CallState, usageOnly: 'keep' | 'drop'): IncomingResponse {
  const { gateway, dialect, call, began } = state;
  const meter = dialect.openMeter();
  const { body, status } = answer;
  const framing = framingOf(valueOf(answer.fields, 'content-type'));
  const firstByte = gateway.now() - began;
  const tell = (end: 'ended' | 'cut', how: Meter = meter): void => tellCall(state, { ...how.outcome(end), status, firstByte });
  if (body === undefined || framing === undefined || status >= 300 || call.operation === 'other') {
    tellCall(state, { status, firstByte, completeness: 'complete', toolCalls: [] });
    return answer;
  }
  const editor = createAnswerEditor({ dialect, framing, meter, open: stagesFor(state), usageOnly });
  return { ...answer, fields: withoutField(answer.fields, 'content-length'), body: edited(body, editor, tell) };
}

function edited(body: Body, editor: ReturnType<typeof createAnswerEditor>, tell: (end: 'ended' | 'cut') => void): Body {
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
