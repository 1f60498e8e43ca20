import { each, flags, noSpan, reachesUnknown, takes, tool, toolFamily, whenBare, writes } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { readsTree, writesGitDirectory } from './list-options.ts';
import { remoteHelpers } from './transport-helpers.ts';

const showing: readonly ToolSpec[] = [
  tool('check-ref-format', {
    options: [
      ...flags('--branch', '--normalize', '--print', '--refspec-pattern'),
      ...flags('--allow-onelevel', '--no-allow-onelevel'),
    ],
    operands: each('text'),
  }),
  tool('check-mailmap', { options: flags('--stdin'), operands: each('text'), always: readsTree }),
  tool('patch-id', { options: flags('--stable', '--unstable', '--verbatim') }),
  tool('stripspace', { options: flags('-s --strip-comments', '-c --comment-lines') }),
  tool('column', { options: takes('text', '--mode', '--width', '--indent', '--nl', '--padding', '--command') }),
  tool('get-tar-commit-id show-index', { options: takes('text', '--object-format') }),
  tool('interpret-trailers', {
    options: [
      ...flags('--parse', '--only-trailers', '--only-input', '--unfold', '--trim-empty', '--no-divider'),
      ...takes('text', '--where', '--if-exists', '--if-missing', '--trailer'),
      { names: ['--in-place'], operands: each('write') },
    ],
    operands: each('read'),
    // The box has no form of it without the repository's commands. `--only-input` runs none.
    refine: (parsed) =>
      hasOption(parsed, '--parse', '--only-input')
        ? {}
        : { opaque: [{ kind: 'inline-code', message: 'runs what `trailer.<name>.command` names', span: noSpan }] },
  }),
];

const intoGit = { operands: each('text'), always: [writesGitDirectory] };

const changing: readonly ToolSpec[] = [
  // With two commits it writes a tree, and with three it only shows.
  tool('merge-tree', {
    options: flags('--trivial-merge', '--name-only', '--messages', '--no-messages', '-z', '--write-tree'),
    operands: each('text'),
    always: readsTree,
    refine: (parsed, { path }) =>
      parsed.operands.length === 3 && !hasOption(parsed, '--write-tree')
        ? {}
        : { writes: [path(staticWord('.git'), 'write', 'tree')] },
  }),
  toolFamily('rerere', [tool('status diff remaining', { always: readsTree }), tool('clear forget gc', intoGit)], {
    refine: whenBare('merge drivers of the repository'),
  }),
  tool('write-tree', { options: flags('--missing-ok'), always: [writesGitDirectory] }),
  tool('commit-tree', { ...intoGit, options: [...takes('text', '-p', '-m'), ...takes('read', '-F')] }),
  tool('read-tree', {
    options: [...flags('-m', '-u', '-i', '-v', '--empty', '--dry-run -n'), ...takes('text', '--prefix')],
    operands: each('text'),
    always: [writes('.'), writesGitDirectory],
  }),
  tool('checkout-index', {
    options: [
      ...flags('-a --all', '-q --quiet', '-u --index', '-n --no-create', '-z'),
      ...takes('write-tree', '--prefix'),
    ],
    operands: each('write'),
    always: [writes('.')],
  }),
  tool('pack-refs', { options: flags('--all', '--prune', '--no-prune'), always: [writesGitDirectory] }),
  tool('update-ref', {
    ...intoGit,
    options: [...flags('-d', '--no-deref', '--create-reflog'), ...takes('text', '-m')],
  }),
  tool('replace', { ...intoGit, options: flags('-d --delete', '-l --list', '-f --force') }),
];

/** Files that are kept elsewhere. `.lfsconfig` of the project may name the server. */
const largeFiles = toolFamily('lfs', [
  tool('status env version ls-files', {
    options: flags('-l --long', '-s --size', '-n --name-only', '-a --all', '-p --porcelain', '-j --json', '-d --debug'),
    operands: each('text'),
    always: readsTree,
  }),
  // They install hooks into `.git`, too.
  tool('track untrack', {
    options: flags('-l --lockable', '--filename'),
    operands: each('text'),
    always: [writes('.')],
  }),
  tool('fetch pull push', {
    options: [...flags('-a --all', '-p --prune', '-r --recent'), ...takes('text', '-I --include', '-X --exclude')],
    operands: each('text'),
    always: [writes('.'), ...remoteHelpers],
    refine: reachesUnknown('the server of large files'),
  }),
]);

/** Commands that scripts call, and `git lfs`. */
export const gitPlumbing: readonly ToolSpec[] = [...showing, ...changing, largeFiles];
