import {
  each,
  toolFamily,
  flags,
  inOrder,
  maybe,
  opaqueEffect,
  reads,
  repositoryCode,
  takes,
  tool,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { OptionSpec, ToolSpec } from '../types.ts';
import { merged } from './options.ts';
import { hasOption } from '../parsed-options.ts';
import { staticWord } from '../words.ts';
import { writesUnless } from './list-options.ts';
import { checkout, editor, hunks, merging, signing, writesObjects } from './tree-changes.ts';

const messages: readonly OptionSpec[] = [
  ...takes('text', '-m --message', '--cleanup', '--author', '--date', '--trailer'),
  ...takes('read', '-F --file', '-t --template'),
];

/** With these options it only tells about a patch. */
const shows = writesUnless('.', '--check', '--stat', '--numstat', '--summary');

export const recording: readonly ToolSpec[] = [
  tool('add stage', {
    options: [
      ...flags(
        '-n --dry-run',
        '-v --verbose',
        '-f --force',
        '--sparse',
        '-A --all --no-ignore-removal',
        '--no-all --ignore-removal',
        '-u --update',
        '--refresh',
        '--ignore-errors',
        '--ignore-missing',
        '-N --intent-to-add',
        '--renormalize',
        '--pathspec-file-nul',
      ),
      ...takes('text', '--chmod'),
      ...takes('read', '--pathspec-from-file'),
      ...warns(editor('--edit'), '-e --edit', '-i --interactive'),
      ...hunks,
    ],
    operands: each('read-tree'),
    always: repositoryCode("the repository's filters"),
    refine: writesUnless('.git', '--dry-run'),
  }),
  tool('commit', {
    options: [
      ...messages,
      ...signing,
      ...flags(
        '-a --all',
        '-i --include',
        '-o --only',
        '-q --quiet',
        '-v --verbose',
        '--amend',
        '--no-edit',
        '--reset-author',
        '--allow-empty',
        '--allow-empty-message',
        '-n --no-verify',
        '--verify',
        '--dry-run',
        '--short',
        '--porcelain',
        '--long',
        '--branch',
        '-z --null',
        '-s --signoff',
        '--no-signoff',
        '--no-post-rewrite',
        '--status',
        '--no-status',
        '--pathspec-file-nul',
      ),
      ...takes('text', '--fixup', '--squash', '-C --reuse-message'),
      ...takes('read', '--pathspec-from-file'),
      ...maybe('text', '-u --untracked-files'),
      ...warns(editor('--edit'), '-e --edit'),
      ...warnsTaking(editor('--reedit-message'), '-c --reedit-message'),
      ...hunks,
    ],
    operands: each('read-tree'),
    always: [reads('.'), ...repositoryCode("the repository's hooks")],
    refine: writesUnless('.git', '--dry-run'),
  }),
  tool('rm', {
    options: [
      ...flags(
        '-f --force',
        '-n --dry-run',
        '-r',
        '--cached',
        '--ignore-unmatch',
        '--sparse',
        '-q --quiet',
        '--pathspec-file-nul',
      ),
      ...takes('read', '--pathspec-from-file'),
    ],
    operands: each('delete-tree'),
    always: [writes('.git')],
  }),
  tool('mv', {
    options: flags('-f --force', '-k', '-n --dry-run', '-v --verbose', '--sparse'),
    operands: inOrder([], 'delete-tree', 'write-tree'),
    always: [writes('.git')],
  }),
  toolFamily(
    'notes',
    [
      tool('list show', { operands: each('text'), always: [reads('.')] }),
      tool('add append edit copy remove merge prune', {
        options: [
          ...flags('-f --force', '--allow-empty', '--ignore-missing', '-n --dry-run'),
          ...takes('text', '-m --message', '-C --reuse-message'),
          ...takes('read', '-F --file'),
        ],
        operands: each('text'),
        always: writesObjects,
      }),
    ],
    { options: takes('text', '--ref') },
  ),
  tool('apply', {
    options: [
      ...flags(
        '--stat',
        '--numstat',
        '--summary',
        '--check',
        '--index',
        '--cached',
        '--intent-to-add -N',
        '-3 --3way',
        '-R --reverse',
        '--reject',
        '-z',
        '--unidiff-zero',
        '--apply',
        '--no-add',
        '--allow-overlap',
        '-v --verbose',
        '-q --quiet',
        '--recount',
        '--ignore-space-change --ignore-whitespace',
        '--inaccurate-eof',
        '--allow-empty',
      ),
      ...takes('text', '-p', '-C', '--whitespace', '--exclude', '--include', '--directory'),
      ...takes('write', '--build-fake-ancestor'),
      ...warns(opaqueEffect('unknown-option', '`--unsafe-paths` writes outside of the directory'), '--unsafe-paths'),
    ],
    operands: each('read'),
    always: [reads('.'), ...repositoryCode("the repository's filters")],
    refine: (parsed, context) =>
      hasOption(parsed, '--apply')
        ? { writes: [context.path(staticWord('.'), 'write', 'tree')] }
        : shows(parsed, context),
  }),
  tool('am', {
    options: merged(
      signing,
      flags(
        '-s --signoff',
        '-m --message-id',
        '-3 --3way',
        '-k --keep',
        '-i --interactive',
        '-r --resolved',
        '--keep-cr',
      ),
      takes('text', '-p', '-C', '--whitespace', '--directory'),
      merging,
    ),
    operands: each('read'),
    always: checkout,
  }),
];
