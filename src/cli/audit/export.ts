import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { journalEntries, type JournalEntry } from '../../audit/index.ts';
import { indexedFacts, type RawEntry } from '../../audit/index-db/facts.ts';
import { matchesFilter } from '../../audit/index-db/filter.ts';
import type { OtlpRetry } from '../../audit/otlp/deliver.ts';
import { exportOtlp } from '../../audit/otlp/export-otlp.ts';
import { otlpTarget } from '../../audit/otlp/target.ts';
import { describeEntry } from '../../audit/report/describe-entry.ts';
import { HoldfastError } from '../../errors/index.ts';
import { parseDuration } from '../../policy/layers/quantities.ts';
import { csvLine } from '../../text/escape-hidden.ts';
import { type CommandInput, printResult, optionText, optionTexts, safeText } from '../command.ts';
import { entryJson } from './entry-line.ts';
import { type AuditInput, filterOf, formatOf } from './input.ts';
import { writeOutput } from './output.ts';
import { countingUnknown, teller } from './tell.ts';

/** Exports all entries that match the filters, without loading them all into memory. */
export async function exportEntries(input: AuditInput): Promise<number> {
  const { values } = input;
  const url = optionText(values['otlp']);
  const entries = countingUnknown(wantedEntries(input), teller(input.io));
  const foreign = (url === undefined ? collectorOptions : fileOptions).find((option) => values[option] !== undefined);
  if (foreign !== undefined)
    throw new HoldfastError(
      'HF_USAGE',
      `--${foreign} ${url === undefined ? 'needs --otlp' : 'cannot be combined with --otlp'}`,
      { remedy: 'see `holdfast audit --help`' },
    );
  if (url !== undefined) return toCollector(input, url, entries);
  const format = formatOf(values, 'jsonl') ?? 'jsonl';
  const lines = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (lines === undefined)
    throw new HoldfastError('HF_USAGE', `expected jsonl or csv, got ${JSON.stringify(format)}`, {
      remedy: 'use --format jsonl or --format csv',
    });
  writeOutput(input, lines(entries));
  return 0;
}

const collectorOptions: readonly string[] = ['header', 'headers-file', 'timeout'];
const fileOptions: readonly string[] = ['format', 'output'];

const columns = ['seq', 'time', 'session', 'type', 'decision', 'paths', 'hosts', 'what'] as const;

const formats: Readonly<Record<string, (entries: Iterable<JournalEntry>) => Iterable<string>>> = {
  jsonl: jsonLines,
  csv: csvLines,
};

function* jsonLines(entries: Iterable<JournalEntry>): Generator<string, void, undefined> {
  for (const entry of entries) yield entryJson(entry);
}

function* wantedEntries(input: AuditInput): Generator<JournalEntry, void, undefined> {
  const filter = filterOf(input);
  for (const { entry } of journalEntries(input.journal)) {
    if (matchesFilter(filter, indexedFacts(entry as unknown as RawEntry))) yield entry;
  }
}

async function toCollector(input: AuditInput, url: string, entries: Iterable<JournalEntry>): Promise<number> {
  const { io, values } = input;
  const { logs, spans, rejected } = await exportOtlp({
    target: otlpTarget(url, collectorHeaders({ io, values })),
    entries,
    host: hostname(),
    ...timeoutOf(optionText(values['timeout'])),
    onRetry: (retry) => io.stderr.write(safeText(`${retryText(retry)}\n`)),
  });
  printResult(input, { events: logs, sessions: spans, rejected }, `${logs} events and ${spans} sessions exported\n`);
  if (rejected > 0) io.stderr.write(`holdfast: the collector rejected ${rejected} of them: its log says why\n`);
  return rejected > 0 ? 1 : 0;
}

function retryText({ url, why, left }: OtlpRetry): string {
  const seconds = Math.max(1, Math.round(left / 1000));
  return `holdfast: the collector at ${url} did not take the export: ${why}; trying again for up to ${seconds} s (--timeout)`;
}

function timeoutOf(value: string | undefined): { readonly timeout?: number } {
  if (value === undefined) return {};
  const timeout = parseDuration(value);
  if (timeout === undefined || timeout <= 0)
    throw new HoldfastError('HF_USAGE', `expected a duration, got ${JSON.stringify(value)}`, {
      remedy: 'use --timeout 30s or --timeout 5m',
    });
  return { timeout };
}

/** RFC 4180. */
function* csvLines(entries: Iterable<JournalEntry>): Generator<string, void, undefined> {
  yield csvLine(columns);
  for (const entry of entries) {
    const { session, type, decision, paths, hosts } = indexedFacts(entry as unknown as RawEntry);
    yield csvLine([
      String(entry.seq),
      String(entry.time),
      session,
      type,
      decision,
      paths.join(' '),
      hosts.join(' '),
      describeEntry(entry),
    ]);
  }
}

type Header = readonly [name: string, value: string];

/**
 * Returns the headers of `--header` and of the lines of `--headers-file`. They may be secret: no message quotes one.
 */
function collectorHeaders({ values, io }: Pick<CommandInput, 'values' | 'io'>): readonly Header[] {
  const file = optionText(values['headers-file']);
  const lines = file === undefined ? [] : readLines(resolve(io.cwd, file));
  return [
    ...lines.map((line, index) => headerOf(line, `header ${index + 1} of ${file}`)),
    ...optionTexts(values['header']).map((line) => headerOf(line, 'a --header')),
  ];
}

function headerOf(line: string, where: string): Header {
  const [, name, value] = /^([^:\s]+):[ \t]*(.*?)[ \t]*$/u.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new HoldfastError('HF_USAGE', `${where} is not "Name: value"`, { remedy: "use --header 'X-Tenant: one'" });
  return [name, value];
}

const largest = 65_536;

/** Skips empty lines and those that begin with `#`. */
function readLines(file: string): readonly string[] {
  return readText(file)
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function readText(file: string): string {
  try {
    const fd = openSync(file, 'r');
    try {
      if (fstatSync(fd).size > largest)
        throw new HoldfastError('HF_USAGE', `${file} is larger than ${largest} bytes`, {
          remedy: 'name a file with one header a line',
        });
      const bytes = Buffer.alloc(largest);
      return bytes.toString('utf8', 0, readSync(fd, bytes, 0, largest, null));
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || cause instanceof HoldfastError) throw cause;
    throw new HoldfastError('HF_USAGE', `${file} cannot be read (${code})`, {
      remedy: 'name a file with one header a line',
      cause,
    });
  }
}
