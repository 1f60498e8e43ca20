import { homedir } from 'node:os';
import { type EventFilter, type HostQuery, parsePathQuery } from '../../audit/index-db/filter.ts';
import { parsePhrases } from '../../audit/index-db/phrases.ts';
import { HoldfastError } from '../../errors/index.ts';
import { parseDuration } from '../../policy/layers/quantities.ts';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { type CommandInput, isSet, optionText, optionTexts } from '../command.ts';

/** The parsed input of an action. */
export interface AuditInput extends CommandInput {
  readonly journal: string;
  /** The arguments after the action. */
  readonly words: readonly string[];
}

/** Returns the filter of the options. Throws `HF_USAGE` for invalid ones. */
export function filterOf({ values, io }: Pick<CommandInput, 'values' | 'io'>, now: number = Date.now()): EventFilter {
  return {
    ...given('session', optionText(values['session']), (session) => session),
    ...given('since', optionText(values['since']), (since) => momentOf('since', since, now)),
    ...given('until', optionText(values['until']), (until) => momentOf('until', until, now)),
    ...list('types', optionTexts(values['type'])),
    ...list('decisions', optionTexts(values['decision'])),
    ...given('path', optionText(values['path']), (path) =>
      orUsage(parsePathQuery(path, { home: homedir(), workspace: io.cwd })),
    ),
    ...given('host', optionText(values['host']), hostQuery),
    ...given('words', optionText(values['text']), (words) => orUsage(parsePhrases(words))),
  };
}

/** Returns the value of `--limit`. */
export function limitOf({ values }: Pick<CommandInput, 'values'>, fallback: number): number {
  const limit = Number(optionText(values['limit']) ?? fallback);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostEntries)
    throw usage(
      `expected a whole number up to ${mostEntries}, got ${JSON.stringify(optionText(values['limit']))}`,
      'use --limit 100, or `holdfast audit export`, which has no limit',
    );
  return limit;
}

/** Returns the value of `--format`, which `--json` abbreviates. Throws `HF_USAGE` for both. */
export function formatOf(values: CommandInput['values'], json: 'json' | 'jsonl'): string | undefined {
  const format = optionText(values['format']);
  if (!isSet(values['json'])) return format;
  if (format === undefined || format === json) return json;
  throw new HoldfastError('HF_USAGE', `--json and --format ${format} cannot be combined`, {
    remedy: 'use one of them',
  });
}

/** Held in memory at once. */
const mostEntries = 100_000;

function given<Name extends string, Value>(
  name: Name,
  option: string | undefined,
  read: (option: string) => Value,
): { readonly [Key in Name]?: Value } {
  return (option === undefined ? {} : { [name]: read(option) }) as { readonly [Key in Name]?: Value };
}

function list<Name extends string>(
  name: Name,
  items: readonly string[],
): { readonly [Key in Name]?: readonly string[] } {
  return (items.length === 0 ? {} : { [name]: items }) as { readonly [Key in Name]?: readonly string[] };
}

/** RFC 3339, or a part of it. Without an offset it is UTC, like the journal's times. */
const timePattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?<offset>Z|[+-]\d\d:\d\d)?)?$/u;

function momentOf(option: 'since' | 'until', value: string, now: number): number {
  const ago = parseDuration(value);
  if (ago !== undefined) return now - ago;
  const match = timePattern.exec(value);
  const time =
    match === null
      ? Number.NaN
      : Date.parse(
          `${value.replace(' ', 'T')}${value.length > dateLength && match.groups?.['offset'] === undefined ? 'Z' : ''}`,
        );
  if (Number.isNaN(time))
    throw usage(
      `expected a time for --${option}, got ${JSON.stringify(value)}`,
      `use --${option} 2h, --${option} 2026-01-31 or --${option} 2026-01-31T12:00Z`,
    );
  return time;
}

const dateLength = '2026-01-31'.length;

function hostQuery(value: string): HostQuery {
  const isBelow = value.startsWith('*.');
  const host = normaliseHost(isBelow ? value.slice(2) : value)?.text;
  if (host === undefined)
    throw usage(`expected a host, got ${JSON.stringify(value)}`, 'use --host example.com or --host *.example.com');
  return isBelow ? { kind: 'below', suffix: host } : { kind: 'exact', host };
}

interface Problem {
  readonly kind: 'problem';
  readonly message: string;
  readonly remedy: string;
}

function orUsage<T extends object>(read: T | Problem): Exclude<T, Problem> {
  if ('kind' in read && read.kind === 'problem') throw usage((read as Problem).message, (read as Problem).remedy);
  return read as Exclude<T, Problem>;
}

function usage(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy });
}
