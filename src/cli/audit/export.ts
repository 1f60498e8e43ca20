import { hostname } from 'node:os';
import { journalEntries, type JournalEntry } from '../../audit/index.ts';
import { factsOf, matchesFilter, type RawEntry } from '../../audit/index-db/index.ts';
import { exportOtlp, otlpTarget } from '../../audit/otlp/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { parseDuration } from '../../policy/layers/quantities.ts';
import { text } from '../command.ts';
import { printResult } from '../print-result.ts';
import { csvLines } from './csv.ts';
import { entryJson } from './entry-line.ts';
import { filterOf } from './filter-options.ts';
import { formatOf } from './format-of.ts';
import { collectorHeaders } from './headers.ts';
import type { AuditInput } from './index.ts';
import { writeOutput } from './output.ts';
import { countingUnknown, teller } from './tell.ts';

/** Hands on every entry that the filters ask for, without holding them in memory. */
export async function exportEntries(input: AuditInput): Promise<number> {
  const { values } = input;
  const url = text(values['otlp']);
  const entries = countingUnknown(wantedEntries(input), teller(input.io));
  const foreign = (url === undefined ? collectorOptions : fileOptions).find((option) => values[option] !== undefined);
  if (foreign !== undefined) throw new HoldfastError('HF_USAGE', `--${foreign} ${url === undefined ? 'is about --otlp' : 'does not go with --otlp'}`, { remedy: 'see `holdfast audit --help`' });
  if (url !== undefined) return toCollector(input, url, entries);
  const format = formatOf(values, 'jsonl') ?? 'jsonl';
  const lines = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (lines === undefined) throw new HoldfastError('HF_USAGE', `expected jsonl or csv, got ${JSON.stringify(format)}`, { remedy: 'use --format jsonl or --format csv' });
  writeOutput(input, lines(entries));
  return 0;
}

const collectorOptions: readonly string[] = ['header', 'headers-file', 'timeout'];
const fileOptions: readonly string[] = ['format', 'output'];

const formats: Readonly<Record<string, (entries: Iterable<JournalEntry>) => Iterable<string>>> = { jsonl: jsonLines, csv: csvLines };

function* jsonLines(entries: Iterable<JournalEntry>): Generator<string, void, undefined> {
  for (const entry of entries) yield entryJson(entry);
}

function* wantedEntries(input: AuditInput): Generator<JournalEntry, void, undefined> {
  const filter = filterOf(input);
  for (const { entry } of journalEntries(input.journal)) {
    if (matchesFilter(filter, factsOf(entry as unknown as RawEntry))) yield entry;
  }
}

async function toCollector(input: AuditInput, url: string, entries: Iterable<JournalEntry>): Promise<number> {
  const { io, values } = input;
  const { logs, spans, rejected } = await exportOtlp({ target: otlpTarget(url, collectorHeaders({ io, values })), entries, host: hostname(), ...timeoutOf(text(values['timeout'])) });
  printResult(input, { events: logs, sessions: spans, rejected }, `${logs} events and ${spans} sessions exported\n`);
  if (rejected > 0) io.stderr.write(`holdfast: the collector rejected ${rejected} of them: its log says why\n`);
  return rejected > 0 ? 1 : 0;
}

function timeoutOf(value: string | undefined): { readonly timeout?: number } {
  if (value === undefined) return {};
  const timeout = parseDuration(value);
  if (timeout === undefined || timeout <= 0) throw new HoldfastError('HF_USAGE', `expected a duration, got ${JSON.stringify(value)}`, { remedy: 'use --timeout 30s or --timeout 5m' });
  return { timeout };
}
