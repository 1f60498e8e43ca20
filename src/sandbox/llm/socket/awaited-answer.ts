import { createEventEditor, type EventEditor } from '../../../llm/index.ts';
import type { CallState } from '../carry-call.ts';
import { saidTokens, withSaid } from '../said-tokens.ts';
import { tellCall, type ToldOutcome } from '../tell-call.ts';
import { stagesFor } from '../text-stages.ts';

/** How an answer came to its end. `cut`: the WebSocket did. */
export type AnswerEnd = { readonly kind: 'ended' } | { readonly kind: 'cut' } | { readonly kind: 'failed'; /** Of HTTP, where the server said one. */ readonly status: number | undefined };

/** An answer of a server that is waited for or under way. */
export interface AwaitedAnswer extends EventEditor {
  lane: string;
  readonly stage: 'waited-for' | 'begun';
  begin(): void;
  /** Counts it, and tells the journal. */
  tell(end: AnswerEnd): void;
}

export function awaitAnswer(state: CallState, lane: string): AwaitedAnswer {
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
    if (end.kind === 'failed' && end.status !== undefined && stage === 'waited-for') return { status: end.status, ...first, completeness: 'complete', toolCalls: [] };
    return { ...withSaid(meter.outcome(end.kind === 'cut' ? 'cut' : 'ended'), said.count()), status: firstByte === undefined ? 0 : 200, ...first };
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
