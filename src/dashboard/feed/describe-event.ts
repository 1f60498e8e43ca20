import type { JournalEntry } from '../../audit/index.ts';
import { describeEntry } from '../../audit/report/index.ts';
import type { EventRow, Tone } from '../wire.ts';
import { shown } from './shown.ts';

/** One event as a line of a list. Never throws, whatever stands in the journal. */
export function describeEvent(entry: JournalEntry): EventRow {
  const { session = '' } = entry as { readonly session?: unknown };
  return { seq: entry.seq, time: shown(entry.time, 40), type: shown(entry.type, 60), tone: toneOf(entry), title: shown(describeEntry(entry)), session: shown(session, 80) };
}

function toneOf(entry: JournalEntry): Tone {
  switch (entry.type) {
    case 'refusal':
    case 'alarm':
    case 'quarantine':
    case 'journal.lost':
      return 'bad';
    case 'approval.requested':
    case 'trust.withheld':
    case 'text':
    case 'journal.clock':
    case 'journal.begun':
    case 'journal.repaired':
      return 'warning';
    case 'connection':
    case 'request':
    case 'model':
      return entry.refusal === undefined ? 'plain' : 'bad';
    case 'dlp':
      return entry.decision === 'block' ? 'bad' : 'warning';
    case 'approval.resolved':
    case 'statement':
      return entry.decision === 'deny' ? 'bad' : 'plain';
    default:
      return 'plain';
  }
}
