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
  whenBare,
  writes,
} from '../notation.ts';
import type { OptionSpec, StandingEffect, ToolSpec } from '../types.ts';
import { diffOptions, merged } from './options.ts';

const hooks = repositoryCode("the repository's hooks");
/** They change the working tree and run hooks, filters and, on conflicts, merge drivers. */
const checkout: readonly StandingEffect[] = [
  reads('.'),
  writes('.'),
  ...repositoryCode("the repository's hooks and filters"),
];
const store: readonly StandingEffect[] = [reads('.'), writes('.git'), ...hooks];
const editor = (option: string): StandingEffect =>
  opaqueEffect('repository-code', `\`${option}\` runs the editor that \`core.editor\` names`);
const signer = (option: string): StandingEffect =>
  opaqueEffect('repository-code', `\`${option}\` runs the program that \`gpg.program\` names`);
const hunks = warns(
  opaqueEffect('repository-code', '`--patch` runs the program that `interactive.diffFilter` names'),
  '-p --patch',
);

const signing: readonly OptionSpec[] = [
  { names: ['-S', '--gpg-sign'], value: 'optional', effect: signer('--gpg-sign') },
  ...flags('--no-gpg-sign'),
];
const messages: readonly OptionSpec[] = [
  ...takes('text', '-m --message', '--cleanup', '--author', '--date', '--trailer'),
  ...takes('read', '-F --file', '-t --template'),
];
const merging: readonly OptionSpec[] = [
  ...flags(
    '-q --quiet',
    '-v --verbose',
    '--stat',
    '-n --no-stat',
    '--progress',
    '--no-progress',
    '--autostash',
    '--no-autostash',
    '--allow-unrelated-histories',
    '--rerere-autoupdate',
    '--no-rerere-autoupdate',
    '--abort',
    '--continue',
    '--quit',
    '--skip',
    '--signoff',
    '--no-signoff',
    '--ff',
    '--no-ff',
    '--ff-only',
    '--squash',
    '--no-squash',
    '--commit',
    '--no-commit',
    '--verify',
    '--no-verify',
    '--verify-signatures',
  ),
  ...takes('text', '-X --strategy-option', '--into-name', '-m --message', '--cleanup'),
  ...takes('read', '-F --file'),
  ...maybe('text', '--log'),
  // `-s NAME` runs `git-merge-NAME` from the search path. The built-in ones are as harmless as the merge.
  ...takes('program', '-s --strategy'),
  ...warns(editor('--edit'), '-e --edit'),
  ...flags('--no-edit'),
];

const recording: readonly ToolSpec[] = [
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
    always: [writes('.git'), ...repositoryCode("the repository's filters")],
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
    always: store,
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
        always: store,
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
    always: [reads('.'), writes('.'), ...repositoryCode("the repository's filters")],
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

const moving: readonly ToolSpec[] = [
  tool('checkout', {
    options: [
      ...flags(
        '-q --quiet',
        '--progress',
        '--no-progress',
        '-f --force',
        '--ours',
        '--theirs',
        '--guess',
        '--no-guess',
        '--no-track',
        '-l',
        '-d --detach',
        '-m --merge',
        '--ignore-skip-worktree-bits',
        '--overlay',
        '--no-overlay',
        '--ignore-other-worktrees',
        '--overwrite-ignore',
        '--pathspec-file-nul',
        '--recurse-submodules',
        '--no-recurse-submodules',
      ),
      ...takes('text', '-b', '-B', '--orphan', '--conflict'),
      ...takes('read', '--pathspec-from-file'),
      ...maybe('text', '-t --track'),
      ...hunks,
    ],
    operands: each('text'),
    always: checkout,
  }),
  tool('switch', {
    options: [
      ...flags(
        '-d --detach',
        '--guess',
        '--no-guess',
        '-f --force --discard-changes',
        '-m --merge',
        '-q --quiet',
        '--progress',
        '--no-progress',
        '--no-track',
        '--ignore-other-worktrees',
        '--recurse-submodules',
        '--no-recurse-submodules',
      ),
      ...takes('text', '-c --create', '-C --force-create', '--orphan', '--conflict'),
      ...maybe('text', '-t --track'),
    ],
    operands: each('text'),
    always: checkout,
  }),
  tool('restore', {
    options: [
      ...flags(
        '-W --worktree',
        '-S --staged',
        '-q --quiet',
        '--progress',
        '--no-progress',
        '--ours',
        '--theirs',
        '-m --merge',
        '--ignore-unmerged',
        '--overlay',
        '--no-overlay',
        '--pathspec-file-nul',
      ),
      ...takes('text', '-s --source', '--conflict'),
      ...takes('read', '--pathspec-from-file'),
      ...hunks,
    ],
    operands: each('write-tree'),
    always: checkout,
  }),
  tool('reset', {
    options: [
      ...flags(
        '-q --quiet',
        '--mixed',
        '--soft',
        '--hard',
        '--merge',
        '--keep',
        '-N --intent-to-add',
        '--refresh',
        '--no-refresh',
        '--pathspec-file-nul',
      ),
      ...takes('read', '--pathspec-from-file'),
      ...hunks,
    ],
    operands: each('text'),
    always: checkout,
  }),
  tool('clean', {
    options: [
      ...flags('-d', '-f --force', '-n --dry-run', '-q --quiet', '-x', '-X'),
      ...takes('text', '-e --exclude'),
      ...warns(opaqueEffect('unknown-option', '`--interactive` asks what to delete'), '-i --interactive'),
    ],
    operands: each('delete-tree'),
    always: [writes('.'), ...repositoryCode("the repository's file-system monitor")],
  }),
  tool('merge', { options: [...merging, ...signing], operands: each('text'), always: checkout }),
  tool('rebase', {
    options: [
      ...merged(
        signing,
        flags(
          '-m --merge',
          '-f --force-rebase',
          '-r --rebase-merges',
          '--keep-base',
          '--apply',
          '--keep-empty',
          '--fork-point',
          '--no-fork-point',
          '--root',
          '--update-refs',
          '--autosquash',
          '--no-autosquash',
          '--committer-date-is-author-date',
          '--reset-author-date',
          '--no-ff',
          '--reapply-cherry-picks',
        ),
        merging,
      ),
      ...takes('text', '--onto'),
      ...takes('script', '-x --exec'),
      ...warns(editor('--interactive'), '-i --interactive', '--edit-todo'),
    ],
    operands: each('text'),
    always: checkout,
  }),
  tool('cherry-pick', {
    options: merged(
      signing,
      flags(
        '-x',
        '-s --signoff',
        '-n --no-commit',
        '--allow-empty',
        '--allow-empty-message',
        '--keep-redundant-commits',
      ),
      takes('text', '-m --mainline'),
      merging,
    ),
    operands: each('text'),
    always: checkout,
  }),
  tool('revert', {
    options: merged(
      signing,
      flags('-s --signoff', '-n --no-commit', '--reference'),
      takes('text', '-m --mainline'),
      merging,
    ),
    operands: each('text'),
    always: checkout,
  }),
];

export const gitStash: ToolSpec = toolFamily(
  'stash',
  [
    tool('list', {
      options: merged(
        flags('--oneline'),
        takes('text', '--format', '--date', '-n --max-count'),
        maybe('text', '--pretty'),
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
    refine: whenBare("the repository's hooks and filters"),
  },
);

const stashing: readonly ToolSpec[] = [
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
      always: store,
    }),
    tool('remove', { options: flags('-f --force'), operands: each('delete-tree'), always: [writes('.git')] }),
    tool('prune', {
      options: [...flags('-n --dry-run', '-v --verbose'), ...takes('text', '--expire')],
      always: [writes('.git')],
    }),
  ]),
  toolFamily('bisect', [
    tool('start good old bad new skip reset log', { operands: each('text'), always: checkout }),
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
    always: store,
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
    options: flags('-q', '--refresh', '--really-refresh', '--add', '--remove'),
    operands: each('read'),
    always: store,
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
