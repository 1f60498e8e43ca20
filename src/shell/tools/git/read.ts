import { each, toolFamily, flags, maybe, opaqueEffect, takes, tool, warns, writes } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { diffOptions, merged, revisionOptions } from './options.ts';
import { contents } from './read-contents.ts';
import { names } from './read-names.ts';
import { writesGitDirectory, changesWith, listFormats, readsTree } from './list-options.ts';

const logOptions = merged(revisionOptions, diffOptions);

const history: readonly ToolSpec[] = [
  tool('log', { options: logOptions, operands: each('text'), always: readsTree }),
  tool('show', { options: logOptions, operands: each('text'), always: readsTree }),
  tool('whatchanged', { options: logOptions, operands: each('text'), always: readsTree }),
  tool('rev-list', { options: revisionOptions, operands: each('text'), always: readsTree }),
  tool('shortlog', {
    options: merged(
      flags('-n --numbered', '-s --summary', '-e --email', '-c --committer'),
      maybe('text', '-w'),
      takes('text', '--group'),
      revisionOptions,
    ),
    operands: each('text'),
    always: readsTree,
  }),
  tool('diff', {
    options: merged(
      diffOptions,
      warns(opaqueEffect('unknown-option', '`--no-index` compares files outside of the repository'), '--no-index'),
    ),
    operands: each('text'),
    always: readsTree,
  }),
  tool('diff-tree', {
    options: merged(
      diffOptions,
      revisionOptions,
      flags('--no-commit-id', '--root', '-r', '-t', '-s', '-v', '-m', '-c'),
    ),
    operands: each('text'),
    always: readsTree,
  }),
  tool('diff-index', { options: merged(diffOptions, flags('-m')), operands: each('text'), always: readsTree }),
  tool('diff-files', { options: merged(diffOptions, flags('-q')), operands: each('text'), always: readsTree }),
  tool('range-diff', {
    options: merged(
      flags('--no-dual-color', '--left-only', '--right-only'),
      takes('text', '--creation-factor'),
      diffOptions,
    ),
    operands: each('text'),
    always: readsTree,
  }),
];

/** Commands that list with some arguments and change with others. An operand without a listing option writesGitDirectory. */
const lists: readonly ToolSpec[] = [
  tool('branch', {
    options: [
      ...listFormats,
      ...flags('-a --all', '-r --remotes', '-v --verbose', '-l --list', '--show-current', '-q --quiet', '--no-abbrev'),
      ...maybe('text', '--abbrev'),
      ...warns(
        writesGitDirectory,
        '-d --delete',
        '-D',
        '-m --move',
        '-M',
        '-c --copy',
        '-C',
        '-f --force',
        '--unset-upstream',
        '--no-track',
        '--create-reflog',
        '--recurse-submodules',
      ),
      ...maybe('text', '-t --track'),
      { names: ['-u', '--set-upstream-to'], value: 'required', effect: writesGitDirectory },
      ...warns(
        opaqueEffect('repository-code', '`--edit-description` runs the editor that `core.editor` names'),
        '--edit-description',
      ),
    ],
    operands: each('text'),
    always: readsTree,
    refine: changesWith(1),
  }),
  tool('tag', {
    options: [
      ...listFormats,
      ...flags('-l --list'),
      ...maybe('text', '-n'),
      ...warns(writesGitDirectory, '-a --annotate', '-d --delete', '-f --force', '--create-reflog', '--no-sign'),
      ...takes('text', '-m --message', '--cleanup'),
      ...takes('read', '-F --file'),
      ...warns(
        opaqueEffect('repository-code', '`--sign` runs the program that `gpg.program` names'),
        '-s --sign',
        '-e --edit',
      ),
      {
        names: ['-u', '--local-user'],
        value: 'required',
        effect: opaqueEffect('repository-code', '`--local-user` runs the program that `gpg.program` names'),
      },
      ...warns(opaqueEffect('repository-code', '`--verify` runs the program that `gpg.program` names'), '-v --verify'),
    ],
    operands: each('text'),
    always: readsTree,
    refine: changesWith(1),
  }),
  toolFamily(
    'reflog',
    [
      tool('show', { options: logOptions, operands: each('text'), always: readsTree }),
      tool('exists', { operands: each('text'), always: readsTree }),
      tool('expire delete', {
        options: [
          ...flags(
            '--all',
            '-n --dry-run',
            '--verbose',
            '--rewrite',
            '--updateref',
            '--stale-fix',
            '--single-worktree',
          ),
          ...takes('text', '--expire', '--expire-unreachable'),
        ],
        operands: each('text'),
        always: [writes('.git')],
      }),
    ],
    { options: logOptions, always: readsTree },
  ),
];

/**
 * Subcommands that only read, or that list with the right arguments. They may still run programs of the repository's
 * configuration.
 */
export const gitReading: readonly ToolSpec[] = [...history, ...contents, ...names, ...lists];
