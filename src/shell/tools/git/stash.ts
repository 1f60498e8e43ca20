import { each, toolFamily, flags, inOrder, maybe, reads, takes, tool, whenBare, writes } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { diffOptions, merged } from './options.ts';
import { checkout, hunks, writesObjects } from './tree-changes.ts';

export const gitStash: ToolSpec = toolFamily(
  'stash',
  [
    tool('list', {
      options: merged(
        flags('--oneline'),
        takes('text', '--format', '--date', '-n --max-count'),
        maybe('text', '--pretty'),
        diffOptions,
      ),
      always: [reads('.')],
    }),
    tool('show', {
      options: merged(flags('--include-untracked -u', '--only-untracked'), diffOptions),
      operands: each('text'),
      always: [reads('.')],
    }),
    tool('push save', {
      options: [
        ...flags(
          '-k --keep-index',
          '--no-keep-index',
          '-q --quiet',
          '-u --include-untracked',
          '-a --all',
          '-S --staged',
          '--pathspec-file-nul',
        ),
        ...takes('text', '-m --message'),
        ...takes('read', '--pathspec-from-file'),
        ...hunks,
      ],
      operands: each('text'),
      always: checkout,
    }),
    tool('pop apply', { options: flags('--index', '-q --quiet'), operands: each('text'), always: checkout }),
    tool('branch', { operands: each('text'), always: checkout }),
    tool('drop clear', { options: flags('-q --quiet'), operands: each('text'), always: [writes('.git')] }),
  ],
  {
    options: [
      ...flags('-k --keep-index', '-q --quiet', '-u --include-untracked', '-a --all', '-S --staged'),
      ...takes('text', '-m --message'),
    ],
    refine: whenBare("the repository's repositoryHooks and filters"),
  },
);

export const stashing: readonly ToolSpec[] = [
  gitStash,
  toolFamily('worktree', [
    tool('list', { options: [...flags('-v --verbose', '--porcelain', '-z')], always: [reads('.')] }),
    tool('add', {
      options: [
        ...flags(
          '-f --force',
          '-d --detach',
          '--checkout',
          '--no-checkout',
          '--lock',
          '-q --quiet',
          '--guess-remote',
          '--orphan',
        ),
        ...takes('text', '-b', '-B', '--reason'),
        ...maybe('text', '--track'),
      ],
      operands: inOrder(['write-tree'], 'text'),
      always: writesObjects,
    }),
    tool('remove', { options: flags('-f --force'), operands: each('delete-tree'), always: [writes('.git')] }),
    tool('prune', {
      options: [...flags('-n --dry-run', '-v --verbose'), ...takes('text', '--expire')],
      always: [writes('.git')],
    }),
  ]),
  toolFamily('bisect', [
    tool('log', { always: [reads('.')] }),
    tool('start good old bad new skip reset', { operands: each('text'), always: checkout }),
    tool('run', { grammar: 'words', operands: inOrder(['command']), always: checkout }),
  ]),
  toolFamily('sparse-checkout', [
    tool('list', { always: [reads('.')] }),
    tool('set add init disable reapply', {
      options: flags('--cone', '--no-cone'),
      operands: each('text'),
      always: checkout,
    }),
  ]),
];
