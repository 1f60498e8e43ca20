import { each, fetchesUrls, flags, maybe, takes, tool, unknownHost } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';

const manual = flags('--help', '--version');

/** With these options, a document names others, and libxml2 fetches them. */
const loadsEntities: Refine = (parsed, context) => ({
  hosts: [
    ...(fetchesUrls(parsed, context).hosts ?? []),
    ...(hasOption(parsed, '--noent', '--valid') && !hasOption(parsed, '--nonet')
      ? [unknownHost('the entities of the document')]
      : []),
  ],
});

/** Programs that check or count text. Their settings in a project name no code. */
export const checkerTools: readonly ToolSpec[] = [
  tool('shellcheck', {
    options: [
      ...manual,
      ...flags('-a --check-sourced', '-x --external-sources', '--norc', '--list-optional'),
      ...takes('text', '-e --exclude', '-i --include', '-f --format', '-s --shell', '-S --severity', '-o --enable'),
      ...maybe('text', '-C --color'),
    ],
    operands: each('read'),
  }),
  tool('hadolint', {
    options: [
      ...manual,
      ...flags('-v', '--no-color', '--no-fail'),
      ...takes('text', '-f --format', '--ignore', '-t --failure-threshold'),
    ],
    operands: each('read'),
  }),
  tool('yamllint', {
    options: [
      ...manual,
      ...flags('-s --strict', '--no-warnings', '--list-files'),
      ...takes('text', '-f --format', '-d --config-data'),
    ],
    operands: each('read-tree'),
  }),
  tool('tokei', {
    options: [
      ...manual,
      ...flags(
        '-f --files',
        '-C --compact',
        '--hidden',
        '-V',
        '-h',
        '-l --languages',
        '--no-ignore',
        '--no-ignore-vcs',
        '-v --verbose',
      ),
      ...takes(
        'text',
        '-e --exclude',
        '-t --types --type',
        '-s --sort',
        '-o --output',
        '-c --columns',
        '-r --rsort',
        '-n --num-format',
      ),
    ],
    operands: { kind: 'each', role: 'read-tree', absent: '.' },
  }),
  tool('xmllint', {
    grammar: 'long',
    options: [
      ...flags(
        '-noout --noout',
        '-format --format',
        '-html --html',
        '-recover --recover',
        '-nonet --nonet',
        '-version --version',
      ),
      ...flags(
        '-valid --valid',
        '-noent --noent',
        '-noblanks --noblanks',
        '-c14n --c14n',
        '-huge --huge',
        '-nowarning --nowarning',
        '-stream --stream',
      ),
      ...takes('text', '-xpath --xpath', '-encode --encode', '-pretty --pretty'),
      ...takes('write', '-output --output -o'),
      ...takes('read', '-schema --schema', '-relaxng --relaxng', '-dtdvalid --dtdvalid', '-schematron --schematron'),
    ],
    operands: each('read'),
    refine: loadsEntities,
  }),
];
