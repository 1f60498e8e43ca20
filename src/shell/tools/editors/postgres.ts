import { each, flags, maybe, opaqueEffect, takes, tool, warnsTaking } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';
import { reachesConfiguredServer, codeFromInput, hostOption, sql } from './database-options.ts';
import { optionValues } from '../parsed-options.ts';

const backslash =
  /`|\\(?!d|l|z|x|timing|conninfo|q\b)|\b(?:program|lo_import|lo_export|copy|pg_read_file|pg_ls_dir|create\s+(?:or\s+replace\s+)?(?:function|procedure|extension|language)|do\s+\$)/iu;

const psqlRefine: Refine = (parsed) => {
  const statements = optionValues(parsed, '-c', '--command');
  const isQuestion =
    statements.length > 0 ||
    parsed.options.some(({ spelled }) =>
      ['-l', '--list', '-V', '--version', '-f', '--file', '-?', '--help'].includes(spelled),
    );
  return {
    ...reachesConfiguredServer('-h', '--host')(parsed),
    opaque: [
      ...statements.flatMap((word) => sql(word, backslash)),
      // Attack: `-o '|sh'`.
      ...optionValues(parsed, '-o', '--output')
        .filter((word) => /^\s*\|/u.test(wordAsTyped(word)))
        .map((word) => ({
          kind: 'inline-code' as const,
          message: `\`-o\` gives the output to \`${wordAsTyped(word)}\``,
          span: word.span,
        })),
      ...(isQuestion ? [] : codeFromInput(parsed, '`\\!`')),
      ...parsed.operands
        .filter((word) => !/^[\w-]+$/u.test(wordAsTyped(word)))
        .map((word) => ({
          kind: 'unknown-option' as const,
          message: `\`${wordAsTyped(word)}\` is a connection that is not read`,
          span: word.span,
        })),
    ],
  };
};

export const psql = tool('psql', {
  options: [
    ...flags(
      '-l --list',
      '-a --echo-all',
      '-A --no-align',
      '-b --echo-errors',
      '-e --echo-queries',
      '-E --echo-hidden',
      '-n --no-readline',
      '-q --quiet',
      '-s --single-step',
      '-S --single-line',
      '-t --tuples-only',
      '-x --expanded',
      '-X --no-psqlrc',
      '-z',
      '-0',
      '-1 --single-transaction',
      '-w --no-password',
      '-W --password',
      '-H --html',
      '--csv',
      '-V --version',
      '-? --help',
    ),
    ...takes(
      'text',
      '-c --command',
      '-d --dbname',
      '-U --username',
      '-p --port',
      '-F --field-separator',
      '-R --record-separator',
      '-P --pset',
      '-T --table-attr',
      '-v --set --variable',
    ),
    ...takes('code-file', '-f --file'),
    ...takes('write', '-o --output', '-L --log-file'),
    ...hostOption,
  ],
  operands: each('text'),
  refine: psqlRefine,
});

export const dumps: readonly ToolSpec[] = [
  tool('pg_dump pg_dumpall', {
    options: [
      ...flags(
        '-a --data-only',
        '-s --schema-only',
        '-c --clean',
        '-C --create',
        '-O --no-owner',
        '-x --no-privileges',
        '-v --verbose',
        '-w --no-password',
        '--if-exists',
      ),
      ...takes(
        'text',
        '-d --dbname',
        '-U --username',
        '-p --port',
        '-t --table',
        '-n --schema',
        '-F --format',
        '-j --jobs',
        '-Z --compress',
        '-T --exclude-table',
      ),
      ...takes('write-tree', '-f --file'),
      ...hostOption,
    ],
    operands: each('text'),
    refine: reachesConfiguredServer('-h', '--host'),
  }),
  tool('mysqldump', {
    options: [
      ...flags('--no-data', '--all-databases', '--single-transaction', '--quick', '--routines', '--triggers'),
      ...maybe('text', '-p --password'),
      ...takes('text', '-u --user', '-P --port'),
      ...hostOption,
      ...takes('write', '-r --result-file'),
      ...takes('write-tree', '-T --tab'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`--defaults-file` can load plugins'),
        '--defaults-file',
        '--plugin-dir',
      ),
    ],
    operands: each('text'),
    refine: reachesConfiguredServer('-h', '--host'),
  }),
];
