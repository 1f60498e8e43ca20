import { queryJournal } from '../../audit/index-db/query-journal.ts';
import { type JournalEntry, verifyJournal } from '../../audit/index.ts';
import { collectReport } from '../../audit/report/collect-report.ts';
import { reportHtml } from '../../audit/report/html.ts';
import { reportMarkdown, type SessionReport } from '../../audit/report/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import { isSet, jsonText } from '../command.ts';
import { type AuditInput, formatOf } from './input.ts';
import { writeOutput } from './output.ts';
import { teller, tellOf } from './tell.ts';

const forms: Readonly<Record<string, (report: SessionReport) => Iterable<string>>> = {
  md: reportMarkdown,
  html: reportHtml,
  json: (report) => [jsonText(report)],
};
/** Held in memory at once. */
const mostEntries = 200_000;

/** Writes the report of a session: the one whose ID begins with the word, or the last. */
export async function reportJournal(input: AuditInput): Promise<number> {
  const { io, values, words, journal } = input;
  const format = formatOf(values, 'json') ?? 'md';
  const write = Object.hasOwn(forms, format) ? forms[format] : undefined;
  if (write === undefined)
    throw new HoldfastError('HF_USAGE', `expected md, html or json, got ${JSON.stringify(format)}`, {
      remedy: 'use --format md, html or json',
    });
  if (isSet(values['last']) && words.length > 0)
    throw new HoldfastError('HF_USAGE', 'a session and --last cannot be combined', { remedy: 'use one of them' });
  const session = sessionOf(input);
  const tell = teller(io);
  const result = queryJournal(journal, { filter: { session }, limit: mostEntries, tell });
  if (result.more) tell(`the report is about the last ${mostEntries} entries of the session`);
  tellOf(result, tell);
  writeOutput(input, write(collectReport({ session, entries: result.entries, journal: await stateOf(journal) })));
  return 0;
}

function sessionOf({ journal, words, io }: AuditInput): string {
  const [beginning = ''] = words;
  const { entries } = queryJournal(journal, {
    filter: { session: beginning, types: ['session.start'] },
    limit: beginning === '' ? 1 : mostEntries,
    tell: teller(io),
  });
  const [session, ...others] = new Set(entries.map((entry) => idOf(entry)));
  if (session === undefined)
    throw new HoldfastError(
      'HF_USAGE',
      beginning === '' ? 'the journal has no session' : `no session has the ID ${JSON.stringify(beginning)}`,
      { remedy: 'see `holdfast audit query --type session.start`' },
    );
  if (others.length > 0 && session !== beginning) return exactly(beginning, [session, ...others]);
  return session;
}

/** One ID may be the start of another. */
function exactly(beginning: string, found: readonly string[]): string {
  if (found.includes(beginning)) return beginning;
  throw new HoldfastError('HF_USAGE', `${found.length} sessions have the ID ${JSON.stringify(beginning)}`, {
    remedy: 'type more of the ID: run `holdfast audit query --type session.start` to see all of them',
  });
}

function idOf(entry: JournalEntry): string {
  const { session } = entry as { readonly session?: unknown };
  return typeof session === 'string' ? session : '';
}

/** The report of a modified journal must say so. */
async function stateOf(journal: string): Promise<string> {
  const { problems, entries, omitted } = await verifyJournal(journal);
  const found = problems.length + omitted;
  return found === 0
    ? `${entries} entries, the chain is whole`
    : `${found === 1 ? '1 problem' : `${found} problems`}: see holdfast audit verify`;
}
