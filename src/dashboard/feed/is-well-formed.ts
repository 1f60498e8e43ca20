import type { JournalEntry } from '../../audit/index.ts';

/** Whether an event that is counted has what counting needs: the journal may be of another version, or damaged. */
export function isWellFormed(entry: JournalEntry): boolean {
  return has(entry, common) && has(entry, (needed as Readonly<Record<string, Needs | undefined>>)[entry.type] ?? {}) && !Number.isNaN(Date.parse(entry.time));
}

type Needs = Readonly<Record<string, 'string' | 'number' | 'list' | 'object'>>;

const common: Needs = { seq: 'number', time: 'string', type: 'string' };
const needed = {
  'session.start': { session: 'string', workspace: 'string', argv: 'list', backend: 'string' },
  'session.end': { session: 'string', exitCode: 'number' },
  refusal: { session: 'string', workspace: 'string', verdict: 'object' },
  connection: { session: 'string', host: 'string', sent: 'number', received: 'number' },
} as const satisfies Readonly<Record<string, Needs>>;

function has(entry: JournalEntry, needs: Needs): boolean {
  const fields = entry as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(needs).every(([name, kind]) => kindOf(fields[name]) === kind);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}
