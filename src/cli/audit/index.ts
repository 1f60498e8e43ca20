/** `holdfast audit`: shows and verifies the journal. Each action has a file; the audit room does the work. */
import { homedir } from 'node:os';
import { statePaths } from '../../place/host/state-paths.ts';
import type { Command } from '../command.ts';
import { unknownAction, usageError } from '../usage-error.ts';
import type { AuditInput } from './input.ts';

const auditUsage = `usage: holdfast audit verify [--json]
       holdfast audit tail [-f] [FILTER…] [--limit N] [--json]
       holdfast audit query [FILTER…] [--limit N] [--json]
       holdfast audit report [SESSION | --last] [--format md|html|json | --json] [--output FILE]
       holdfast audit export [FILTER…] [--format jsonl|csv | --json] [--output FILE]
       holdfast audit export [FILTER…] --otlp URL [--header 'N: V'] [--headers-file FILE] [--timeout 5m] [--json]
       holdfast audit repair [--json]
       holdfast audit [show] [--json]

verify: checks the hash chain of the journal, and names every line that was changed, cut, added or moved. Exits with 1
        if there is one.
tail:   prints the last events, one per line (default: 10). With -f (--follow) it goes on with new events.
query:  prints events by session, time, type, decision, path, host and words, oldest first (default: the last 100).
        Exits with 1 if no event matches.
report: prints a session as Markdown, one HTML page or JSON (default: the last session, as Markdown).
export: prints events as JSON lines or CSV, or sends them to a collector of OpenTelemetry by OTLP over HTTP.
repair: begins a new journal if the old one is damaged. Keeps the old one beside it, and removes nothing.
show:   prints the whole journal as JSON, one event per line. Needs no index.

A FILTER is any of these options. A repeated option matches any of its values; different options must all match:
  --session ID       or the beginning of one
  --since TIME       30m, 2h or 7d ago, or 2026-01-31, or 2026-01-31T12:00 (UTC, or with an offset)
  --until TIME       the same
  --type NAME        refusal, connection, approval.resolved … (repeatable)
  --decision NAME    deny, allow, ask, audit, once, session, always … (repeatable)
  --path PATTERN     a path and everything beneath, or a pattern of a policy: src/*, **/.env
  --host NAME        a host, or *.example.com for every name below it
  --text WORDS       all of these words; "two words" next to each other; passw* the beginning of one

  --header 'N: V'    send this header to the collector (repeatable). Your other programs can read it while this runs:
                     use --headers-file for secrets
  --headers-file F   send the headers in this file, one per line
  --timeout TIME     limit the whole export, with its repeated attempts; default 5m`;

const auditOptions: Command['options'] = {
  json: { type: 'boolean' },
  follow: { type: 'boolean', short: 'f' },
  limit: { type: 'string', short: 'n' },
  last: { type: 'boolean' },
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
  otlp: { type: 'string' },
  header: { type: 'string', multiple: true },
  'headers-file': { type: 'string' },
  timeout: { type: 'string' },
  session: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  type: { type: 'string', multiple: true },
  decision: { type: 'string', multiple: true },
  path: { type: 'string' },
  host: { type: 'string' },
  text: { type: 'string' },
};

export const auditCommand: Command = {
  name: 'audit',
  usage: auditUsage,
  options: auditOptions,
  positionals: 'any',
  alone: 'show',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const action = actions.find((candidate) => candidate.name === name);
    if (action === undefined)
      throw unknownAction(
        'audit',
        actions.map((known) => known.name),
        name,
      );
    if (words.length > action.words)
      throw usageError('audit', `\`audit ${name}\` does not take ${JSON.stringify(words[action.words])}`);
    const stray = Object.keys(input.values).find((option) => !action.options.includes(option));
    if (stray !== undefined) throw usageError('audit', `\`audit ${name}\` has no option --${stray}`);
    return (await action.load())({ ...input, journal: statePaths(homedir(), input.io.environment).journal, words });
  },
};

interface Action {
  readonly name: string;
  readonly options: readonly string[];
  /** Number of words that it takes. */
  readonly words: number;
  /** Loads lazily: `verify` needs no SQLite, `query` no HTTP. */
  readonly load: () => Promise<(input: AuditInput) => number | Promise<number>>;
}

const filters = ['session', 'since', 'until', 'type', 'decision', 'path', 'host', 'text'];

const actions: readonly Action[] = [
  { name: 'verify', options: ['json'], words: 0, load: async () => (await import('./verify.ts')).verify },
  {
    name: 'tail',
    options: [...filters, 'follow', 'limit', 'json'],
    words: 0,
    load: async () => (await import('./tail.ts')).tail,
  },
  {
    name: 'query',
    options: [...filters, 'limit', 'json'],
    words: 0,
    load: async () => (await import('./query.ts')).query,
  },
  {
    name: 'report',
    options: ['last', 'format', 'output', 'json'],
    words: 1,
    load: async () => (await import('./report.ts')).reportJournal,
  },
  {
    name: 'export',
    options: [...filters, 'format', 'output', 'otlp', 'header', 'headers-file', 'timeout', 'json'],
    words: 0,
    load: async () => (await import('./export.ts')).exportEntries,
  },
  { name: 'repair', options: ['json'], words: 0, load: async () => (await import('./repair.ts')).repair },
  { name: 'show', options: ['json'], words: 0, load: async () => (await import('./show.ts')).show },
];
