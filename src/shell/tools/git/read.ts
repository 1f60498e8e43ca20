import {
  each,
  toolFamily,
  flags,
  maybe,
  none,
  opaqueEffect,
  reads,
  repositoryCode,
  takes,
  tool,
  warns,
  writes,
} from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { diffOptions, merged, revisionOptions } from './options.ts';

const tree = [reads('.')];
const changes = writes('.git');

const listings = [
  '--list',
  '--contains',
  '--no-contains',
  '--merged',
  '--no-merged',
  '--points-at',
  '-n',
  '--show-current',
];

/** With so many operands, and no option that makes it a list, the command makes or moves a name. */
const changesWith =
  (operands: number): Refine =>
  (parsed, context) =>
    parsed.operands.length < operands ||
    parsed.options.some(({ spec }) => spec.names.some((name) => listings.includes(name)))
      ? {}
      : { writes: [context.path(staticWord('.git'), 'write', 'tree')] };

const formats = [
  ...takes('text', '--format', '--sort', '--points-at', '--count'),
  ...maybe('text', '--contains', '--no-contains', '--merged', '--no-merged', '--color', '--column'),
  ...flags('-i --ignore-case', '--omit-empty', '--no-color', '--no-column'),
];

const logOptions = merged(revisionOptions, diffOptions);

const history: readonly ToolSpec[] = [
  tool('log', { options: logOptions, operands: each('text'), always: tree }),
  tool('show', { options: logOptions, operands: each('text'), always: tree }),
  tool('whatchanged', { options: logOptions, operands: each('text'), always: tree }),
  tool('rev-list', { options: revisionOptions, operands: each('text'), always: tree }),
  tool('shortlog', {
    options: merged(
      flags('-n --numbered', '-s --summary', '-e --email', '-c --committer'),
      maybe('text', '-w'),
      takes('text', '--group'),
      revisionOptions,
    ),
    operands: each('text'),
    always: tree,
  }),
  tool('diff', {
    options: merged(
      diffOptions,
      warns(opaqueEffect('unknown-option', '`--no-index` compares files outside of the repository'), '--no-index'),
    ),
    operands: each('text'),
    always: tree,
  }),
  tool('diff-tree', { options: merged(diffOptions, revisionOptions), operands: each('text'), always: tree }),
  tool('diff-index', { options: merged(diffOptions, flags('-m')), operands: each('text'), always: tree }),
  tool('diff-files', { options: merged(diffOptions, flags('-q')), operands: each('text'), always: tree }),
  tool('range-diff', {
    options: merged(
      flags('--no-dual-color', '--left-only', '--right-only'),
      takes('text', '--creation-factor'),
      diffOptions,
    ),
    operands: each('text'),
    always: tree,
  }),
];

const contents: readonly ToolSpec[] = [
  tool('status', {
    options: [
      ...flags(
        '-s --short',
        '-b --branch',
        '--show-stash',
        '--long',
        '-v --verbose',
        '-z',
        '--ahead-behind',
        '--no-ahead-behind',
        '--renames',
        '--no-renames',
        '--no-column',
      ),
      ...maybe(
        'text',
        '--porcelain',
        '-u --untracked-files',
        '--ignore-submodules',
        '--ignored',
        '--column',
        '--find-renames',
      ),
    ],
    operands: each('read-tree'),
    always: tree,
  }),
  tool('blame annotate', {
    options: [
      ...flags(
        '-b',
        '--root',
        '--show-stats',
        '--progress',
        '--no-progress',
        '--score-debug',
        '-f --show-name',
        '-n --show-number',
        '-p --porcelain',
        '--line-porcelain',
        '-c',
        '-t',
        '-l',
        '-s',
        '-e --show-email',
        '-w',
        '--color-lines',
        '--color-by-age',
        '--minimal',
        '--no-textconv',
        '--first-parent',
      ),
      ...takes('text', '-L', '-S', '--since', '--date', '--ignore-rev'),
      ...takes('read', '--contents', '--ignore-revs-file'),
      ...maybe('text', '-C', '-M', '--abbrev'),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('ls-files', {
    options: [
      ...flags(
        '-z',
        '-t',
        '-v',
        '-f',
        '-c --cached',
        '-d --deleted',
        '-m --modified',
        '-o --others',
        '-i --ignored',
        '-s --stage',
        '-k --killed',
        '--directory',
        '--no-empty-directory',
        '--eol',
        '-u --unmerged',
        '--resolve-undo',
        '--exclude-standard',
        '--full-name',
        '--recurse-submodules',
        '--error-unmatch',
        '--debug',
        '--deduplicate',
        '--sparse',
      ),
      ...takes('text', '-x --exclude', '--exclude-per-directory', '--with-tree', '--format'),
      ...takes('read', '-X --exclude-from'),
      ...maybe('text', '--abbrev'),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('ls-tree', {
    options: [
      ...flags(
        '-d',
        '-r',
        '-t',
        '-z',
        '-l --long',
        '--name-only --name-status',
        '--object-only',
        '--full-name',
        '--full-tree',
      ),
      ...takes('text', '--format'),
      ...maybe('text', '--abbrev'),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('cat-file', {
    options: [
      ...flags(
        '-e',
        '-p',
        '-t',
        '-s',
        '--batch-all-objects',
        '--buffer',
        '--unordered',
        '--follow-symlinks',
        '--allow-unknown-type',
        '-z',
        '--mailmap --use-mailmap',
      ),
      ...maybe('text', '--batch', '--batch-check'),
      ...warns(
        opaqueEffect('repository-code', '`--textconv` runs the conversion program that the repository configures'),
        '--textconv',
      ),
      ...warns(
        opaqueEffect('repository-code', '`--filters` runs the filters that the repository configures'),
        '--filters',
      ),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('grep', {
    options: [
      ...flags(
        '--cached',
        '--untracked',
        '--no-exclude-standard',
        '--exclude-standard',
        '--recurse-submodules',
        '-v --invert-match',
        '-i --ignore-case',
        '-w --word-regexp',
        '-a --text',
        '-I',
        '--no-textconv',
        '-r --recursive',
        '--no-recursive',
        '-E --extended-regexp',
        '-G --basic-regexp',
        '-F --fixed-strings',
        '-P --perl-regexp',
        '-n --line-number',
        '--column',
        '-h',
        '-H',
        '--full-name',
        '-l --files-with-matches --name-only',
        '-L --files-without-match',
        '-z --null',
        '-o --only-matching',
        '-c --count',
        '--heading',
        '--break',
        '--no-color',
        '-q --quiet',
        '--and',
        '--or',
        '--not',
        '--all-match',
        '-p --show-function',
        '-W --function-context',
      ),
      ...takes(
        'text',
        '-e',
        '-C --context',
        '-A --after-context',
        '-B --before-context',
        '--max-depth',
        '--threads',
        '-m --max-count',
      ),
      ...takes('read', '-f'),
      ...maybe('text', '--color'),
      {
        names: ['-O', '--open-files-in-pager'],
        value: 'optional',
        role: 'program',
        effect: opaqueEffect('repository-code', '`-O` runs the pager that the repository configures'),
      },
      ...warns(
        opaqueEffect('repository-code', '`--textconv` runs the conversion program that the repository configures'),
        '--textconv',
      ),
      ...warns(opaqueEffect('unknown-option', '`--no-index` searches files outside of the repository'), '--no-index'),
    ],
    operands: each('text'),
    always: tree,
  }),
];

const names: readonly ToolSpec[] = [
  tool('rev-parse', {
    options: [
      ...flags(
        '--verify',
        '-q --quiet',
        '--revs-only',
        '--no-revs',
        '--flags',
        '--no-flags',
        '--symbolic',
        '--symbolic-full-name',
        '--all',
        '--show-toplevel',
        '--show-prefix',
        '--show-cdup',
        '--git-dir',
        '--absolute-git-dir',
        '--git-common-dir',
        '--is-inside-git-dir',
        '--is-inside-work-tree',
        '--is-bare-repository',
        '--is-shallow-repository',
        '--show-superproject-working-tree',
        '--shared-index-path',
        '--local-env-vars',
        '--sq',
      ),
      ...takes('text', '--default', '--git-path', '--prefix'),
      ...maybe(
        'text',
        '--short',
        '--abbrev-ref',
        '--branches',
        '--tags',
        '--remotes',
        '--path-format',
        '--show-object-format',
      ),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('describe', {
    options: [
      ...flags('--all', '--tags', '--contains', '--long', '--always', '--first-parent', '--exact-match', '--debug'),
      ...takes('text', '--match', '--exclude', '--candidates'),
      ...maybe('text', '--abbrev', '--dirty', '--broken'),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('name-rev', {
    options: [
      ...flags('--tags', '--name-only', '--all', '--always', '--no-undefined'),
      ...takes('text', '--refs', '--exclude'),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('merge-base', {
    options: flags('-a --all', '--octopus', '--independent', '--is-ancestor', '--fork-point'),
    operands: each('text'),
    always: tree,
  }),
  tool('for-each-ref', { options: formats, operands: each('text'), always: tree }),
  tool('show-ref', {
    options: [
      ...flags('--head', '--heads', '--branches', '--tags', '-d --dereference', '--verify', '-q --quiet'),
      ...maybe('text', '-s --hash', '--abbrev'),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('check-ignore', {
    options: flags('-q --quiet', '-v --verbose', '--stdin', '-z', '-n --non-matching', '--no-index'),
    operands: each('text'),
    always: tree,
  }),
  tool('check-attr', { options: flags('-a --all', '--stdin', '-z', '--cached'), operands: each('text'), always: tree }),
  tool('count-objects', { options: flags('-v --verbose', '-H --human-readable'), always: tree }),
  tool('show-branch', {
    options: [
      ...flags(
        '-a --all',
        '-r --remotes',
        '--list',
        '--topo-order',
        '--date-order',
        '--sparse',
        '--sha1-name',
        '--no-name',
        '--merge-base',
        '--independent',
        '--topics',
        '--current',
      ),
      ...maybe('text', '--more', '--color', '-g --reflog'),
    ],
    operands: each('text'),
    always: tree,
  }),
  tool('verify-commit verify-tag', {
    options: flags('-v --verbose', '--raw'),
    operands: each('text'),
    always: [...tree, ...repositoryCode('the program that `gpg.program` names')],
  }),
  tool('symbolic-ref', {
    options: [
      ...flags('-q --quiet', '--short', '--recurse', '--no-recurse'),
      ...warns(changes, '-d --delete'),
      ...takes('text', '-m'),
    ],
    operands: each('text'),
    always: tree,
    refine: changesWith(2),
  }),
  tool('hash-object', {
    options: [
      ...flags('--stdin', '--literally'),
      ...takes('text', '-t'),
      ...warns(changes, '-w'),
      ...warns(opaqueEffect('repository-code', 'the filters that the repository configures run'), '--path'),
    ],
    operands: each('read'),
    always: [...tree, ...repositoryCode("the repository's filters")],
  }),
  tool('cherry', {
    options: [...flags('-v --verbose'), ...maybe('text', '--abbrev')],
    operands: each('text'),
    always: tree,
  }),
  tool('version', { options: flags('--build-options'), operands: none }),
  tool('var', { options: flags('-l'), operands: each('text'), always: tree }),
];

/** Commands that list with some arguments and change with others. An operand without a listing option changes. */
const lists: readonly ToolSpec[] = [
  tool('branch', {
    options: [
      ...formats,
      ...flags('-a --all', '-r --remotes', '-v --verbose', '-l --list', '--show-current', '-q --quiet', '--no-abbrev'),
      ...maybe('text', '--abbrev'),
      ...warns(
        changes,
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
      { names: ['-u', '--set-upstream-to'], value: 'required', effect: changes },
      ...warns(
        opaqueEffect('repository-code', '`--edit-description` runs the editor that `core.editor` names'),
        '--edit-description',
      ),
    ],
    operands: each('text'),
    always: tree,
    refine: changesWith(1),
  }),
  tool('tag', {
    options: [
      ...formats,
      ...flags('-l --list'),
      ...maybe('text', '-n'),
      ...warns(changes, '-a --annotate', '-d --delete', '-f --force', '--create-reflog', '--no-sign'),
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
    always: tree,
    refine: changesWith(1),
  }),
  toolFamily(
    'reflog',
    [
      tool('show', { options: logOptions, operands: each('text'), always: tree }),
      tool('exists', { operands: each('text'), always: tree }),
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
    { options: logOptions, always: tree },
  ),
];

/**
 * Subcommands that only read, or that list with the right arguments. They may still run what the repository configures.
 */
export const gitReading: readonly ToolSpec[] = [...history, ...contents, ...names, ...lists];
