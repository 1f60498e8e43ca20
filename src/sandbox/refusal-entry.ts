import type { JournalEntry } from '../audit/entries.ts';
import type { RefusalEvent } from '../audit/events.ts';

export type RefusalEntry = RefusalEvent & { readonly time: string };

/** Returns the refusal of an entry: a refusal itself, or a call of a language model that Holdfast did not make. */
export function refusalOf(entry: JournalEntry): RefusalEntry | undefined {
  if (entry.type === 'refusal') return entry;
  if (entry.type !== 'model' || entry.refusal === undefined) return undefined;
  const { session, workspace, time, host, port, refusal } = entry;
  const verdict = {
    decision: 'deny',
    code: 'unrepresentable',
    rule: refusal.code,
    layer: 'required',
    file: 'built-in',
    line: 0,
    message: refusal.message,
    remedy: 'see `holdfast llm log --refused`',
  } as const;
  return {
    type: 'refusal',
    session,
    workspace,
    time,
    request: { kind: 'connect', host, port, protocol: 'tcp' },
    verdict,
    observed: 'enforcement',
  };
}
