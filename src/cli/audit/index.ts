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

verify: walks the journal's chain and names every line that was changed, cut, added or moved; exits with 1 then.
tail:   the last events, one a line (default: 10); with -f also those that come.
query:  events by session, time, type, decision, path, host and words, oldest first (default: the last 100).
report: a session as Markdown, one HTML page or JSON (default: the last session, Markdown, to stdout).
export: events as JSON lines or CSV, or to a collector of OpenTelemetry by OTLP over HTTP.
repair: a journal that is not whole is kept beside a new one, which is begun. Nothing is removed.
show:   the whole journal as JSON, one event a line. Needs no index.

A FILTER is any of these. A repeated option matches any of its values; different options must all match:
  --session ID       or the beginning of one
  --since TIME       30m, 2h or 7d ago, or 2026-01-31, or 2026-01-31T12:00 (UTC, or with an offset)
  --until TIME       the same
  --type NAME        refusal, connection, approval.resolved … (repeatable)
  --decision NAME    deny, allow, ask, audit, once, session, always … (repeatable)
  --path PATTERN     a path and everything beneath, or a pattern of a policy: src/*, **/.env
  --host NAME        a host, or *.example.com for every name below it
  --text WORDS       all of these words; "two words" next to each other; passw* the beginning of one

  --header 'N: V'    sent to the collector (repeatable). Other programs of yours can read it while this runs: see --headers-file
  --headers-file F   such lines in a file
  --timeout TIME     for the whole export; default 5m`;

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
