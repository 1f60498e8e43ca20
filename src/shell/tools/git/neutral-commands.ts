import type { ParsedArguments, ToolSpec } from '../types.ts';
import { gitConfig, isReadingConfig } from './config.ts';
import { gitReading } from './read.ts';
import { gitRemotes } from './remote.ts';
import { gitStash } from './stash.ts';

export interface NeutralCommand {
  readonly spec: ToolSpec;
  /** Options that belong directly after the subcommand. */
  readonly adds: readonly string[];
  /** Some commands list or change, depending on their arguments. */
  readonly reads: (parsed: ParsedArguments) => boolean;
  readonly leaves: (parsed: ParsedArguments) => readonly 'filters'[];
}

const noDrivers = ['--no-ext-diff', '--no-textconv'];
const always = () => true;
const nothing = () => [];
const filters = (): readonly 'filters'[] => ['filters'];
const filtersUnless =
  (...options: readonly string[]) =>
  (parsed: ParsedArguments) =>
    has(parsed, options) ? [] : filters();
const filtersWith =
  (...options: readonly string[]) =>
  (parsed: ParsedArguments) =>
    has(parsed, options) ? filters() : [];
const lists =
  (...options: readonly string[]) =>
  (parsed: ParsedArguments) =>
    parsed.operands.length === 0 || has(parsed, options);

const has = (parsed: ParsedArguments, options: readonly string[]): boolean =>
  parsed.options.some(({ spec }) => spec.names.some((name) => options.includes(name)));

const plain = [
  'rev-list',
  'ls-tree',
  'cat-file',
  'rev-parse',
  'name-rev',
  'merge-base',
  'for-each-ref',
  'show-ref',
  'check-ignore',
  'check-attr',
  'count-objects',
  'cherry',
  'shortlog',
  'version',
];

const table: readonly (readonly [string, Partial<NeutralCommand>])[] = [
  ['log', { adds: noDrivers }],
  ['show', { adds: noDrivers }],
  ['whatchanged', { adds: noDrivers }],
  ['diff-tree', { adds: noDrivers }],
  ['diff', { adds: noDrivers, leaves: filtersUnless('--cached') }],
  ['status', { leaves: filters }],
  ['blame', { adds: ['--no-textconv'], leaves: filters }],
  ['annotate', { adds: ['--no-textconv'], leaves: filters }],
  ['grep', { adds: ['--no-textconv'] }],
  ['ls-files', { leaves: filtersWith('--modified') }],
  ['describe', { leaves: filtersWith('--dirty', '--broken') }],
  [
    'branch',
    {
      reads: lists('--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at', '--show-current'),
    },
  ],
  ['tag', { reads: lists('--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at', '-n') }],
  ...plain.map((name) => [name, {}] as const),
];

const nested = (family: ToolSpec, name: string): ToolSpec | undefined =>
  family.subcommands?.find(({ names }) => names.includes(name));
const readingNamed = (name: string): ToolSpec | undefined => gitReading.find(({ names }) => names.includes(name));

/** Commands by name; nested subcommands have both words. */
export const neutralCommands: ReadonlyMap<string, NeutralCommand> = new Map(
  [
    ...table.map(([name, parts]) => [name, readingNamed(name), parts] as const),
    ['stash list', nested(gitStash, 'list'), { adds: noDrivers }] as const,
    ['reflog show', nested(readingNamed('reflog') ?? gitStash, 'show'), { adds: noDrivers }] as const,
    ['remote get-url', nested(gitRemotes, 'get-url'), {}] as const,
    ['remote', gitRemotes, { reads: lists() }] as const,
    ['config', gitConfig, { reads: isReadingConfig }] as const,
  ].flatMap(([name, spec, parts]) =>
    spec === undefined ? [] : [[name, { spec, adds: [], reads: always, leaves: nothing, ...parts }] as const],
  ),
);
