import { each, toolFamily, flags, inOrder, maybe, reads, repositoryCode, takes, tool, writes } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { diffOptions, merged } from './options.ts';
import { moving } from './move.ts';
import { recording } from './record.ts';
import { stashing } from './stash.ts';
import { checkout, writesObjects } from './tree-changes.ts';

const keeping: readonly ToolSpec[] = [
  tool('init', {
    options: [
      ...flags('-q --quiet', '--bare'),
      ...takes('text', '--object-format', '-b --initial-branch'),
      ...takes('read-tree', '--template'),
      ...takes('write-tree', '--separate-git-dir'),
      ...maybe('text', '--shared'),
    ],
    operands: each('write-tree'),
    always: [writes('.git')],
  }),
  tool('repack', {
    options: flags('-a', '-A', '-d', '-f', '-F', '-l', '-q --quiet', '-k'),
    always: [reads('.'), writes('.git')],
  }),
  tool('gc', {
    options: [
      ...flags('--aggressive', '--auto', '-q --quiet', '--force', '--no-prune', '--keep-largest-pack'),
      ...maybe('text', '--prune'),
    ],
    always: writesObjects,
  }),
  tool('prune', {
    options: [...flags('-n --dry-run', '-v --verbose'), ...takes('text', '--expire')],
    always: [writes('.git')],
  }),
  tool('fsck', {
    options: flags(
      '--full',
      '--strict',
      '--verbose',
      '--lost-found',
      '--no-dangling',
      '--unreachable',
      '--connectivity-only',
      '--root',
      '--tags',
    ),
    operands: each('text'),
    always: [reads('.')],
  }),
  tool('update-index', {
    options: [
      ...flags(
        '-q',
        '--refresh',
        '--really-refresh',
        '--add',
        '--remove',
        '--assume-unchanged',
        '--no-assume-unchanged',
      ),
      ...flags('--skip-worktree', '--no-skip-worktree', '--again -g'),
      ...takes('text', '--chmod'),
    ],
    operands: each('read'),
    always: writesObjects,
  }),
  tool('filter-branch', {
    options: [
      ...flags('-f --force', '--prune-empty'),
      ...takes(
        'script',
        '--setup',
        '--env-filter',
        '--tree-filter',
        '--index-filter',
        '--parent-filter',
        '--msg-filter',
        '--commit-filter',
        '--tag-name-filter',
      ),
      ...takes('write-tree', '-d --original'),
    ],
    operands: each('text'),
    always: checkout,
  }),
  tool('difftool', {
    options: merged(
      flags('-d --dir-diff', '-y --no-prompt', '--prompt', '-g --gui'),
      takes('script', '-x --extcmd'),
      takes('program', '-t --tool'),
      diffOptions,
    ),
    operands: each('text'),
    always: [reads('.'), ...repositoryCode('the tool that `diff.tool` names')],
  }),
  tool('mergetool', {
    options: [...flags('-y --no-prompt', '--prompt', '-g --gui'), ...takes('program', '-t --tool')],
    operands: each('text'),
    always: [writes('.'), ...repositoryCode('the tool that `merge.tool` names')],
  }),
  tool('format-patch', {
    options: merged(
      flags(
        '-#',
        '-N --no-numbered',
        '--numbered',
        '-k --keep-subject',
        '--stdout',
        '--thread',
        '--cover-letter',
        '-s --signoff',
      ),
      takes('write-tree', '-o --output-directory'),
      takes('text', '-v --reroll-count', '--subject-prefix', '--start-number'),
      diffOptions,
    ),
    operands: each('text'),
    always: [reads('.'), writes('.'), ...repositoryCode("the repository's filters")],
  }),
  toolFamily('bundle', [
    tool('create', {
      options: [...flags('-q --quiet', '--all')],
      operands: inOrder(['write'], 'text'),
      always: [reads('.')],
    }),
    tool('verify list-heads', { operands: each('read') }),
    tool('unbundle', { operands: each('read'), always: [writes('.git')] }),
  ]),
];

/** Subcommands that change the repository or the working tree. */
export const gitWriting: readonly ToolSpec[] = [...recording, ...moving, ...stashing, ...keeping];
