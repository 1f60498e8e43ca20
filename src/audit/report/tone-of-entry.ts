import type { SignTone } from '../../text/signs.ts';
import type { JournalEntry } from '../entries.ts';
import type { JournalEvent } from '../events.ts';

const tones: Readonly<Partial<Record<JournalEvent['type'], SignTone>>> = {
  refusal: 'refused',
  quarantine: 'refused',
  alarm: 'alarm',
  'journal.lost': 'alarm',
  'approval.requested': 'waiting',
  'approval.resolved': 'allowed',
  'trust.withheld': 'waiting',
  'bundle.refused': 'refused',
  text: 'warning',
  dlp: 'warning',
  'journal.clock': 'warning',
  'journal.begun': 'warning',
  'journal.repaired': 'warning',
  'staged.accept': 'staged',
  'staged.discard': 'staged',
  'staged.undo': 'staged',
  'staged.fork': 'staged',
  'cluster.collect': 'staged',
};

/** The meaning of an entry for its reader. Never throws, for any journal. */
export function toneOfEntry(entry: JournalEntry): SignTone {
  const { refusal, decision, outcome } = entry as {
    readonly refusal?: unknown;
    readonly decision?: unknown;
    readonly outcome?: unknown;
  };
  if (refusal !== undefined || decision === 'deny' || decision === 'block') return 'refused';
  if (outcome === 'kept') return 'staged';
  return (Object.hasOwn(tones, entry.type) ? tones[entry.type as keyof typeof tones] : undefined) ?? 'plain';
}
