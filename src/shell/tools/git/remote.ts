import {
  each,
  toolFamily,
  flags,
  inOrder,
  maybe,
  opaqueEffect,
  reachesUnknown,
  reads,
  repositoryCode,
  takes,
  tool,
  unknownHost,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import { locationOfRemote } from '../hosts.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { hasOption, optionValues } from '../parsed-options.ts';
import { wordAsTyped } from '../words.ts';
import { remoteHelpers, transportHelpers } from './transport-helpers.ts';
import { submodules } from './submodules.ts';

/**
 * The first operand names the other side: a URL, a path, or a configured name (`origin`), whose host only the
 * repository knows.
 */
const named: Refine = (parsed, context) => {
  const opaque = transportHelpers(parsed.operands);
  const remote = parsed.operands[0];
  if (remote === undefined) return { hosts: [unknownHost('the configured remote')] };
  if (remote.kind !== 'static') return { hosts: [unknownHost(remote.text)], opaque };
  const where = locationOfRemote(remote.value);
  if (where.kind === 'host') return { hosts: [where.host], opaque };
  if (/[/.]/u.test(remote.value) || remote.lead === 'home')
    return { reads: [context.path(remote, 'read', 'tree')], opaque };
  return { hosts: [unknownHost(`the remote \`${remote.value}\``)], opaque };
};

/** Fetching runs the other side's pack program: there over ssh, here for a local path. */
const packs: readonly OptionSpec[] = takes('script', '--upload-pack');

const receive: readonly OptionSpec[] = takes('script', '--receive-pack --exec');

const talk = flags('-q --quiet', '-v --verbose', '--progress', '--no-progress', '-4 --ipv4', '-6 --ipv6');

const fetching: readonly OptionSpec[] = [
  ...talk,
  ...packs,
  ...flags(
    '--all',
    '-a --append',
    '--atomic',
    '-f --force',
    '-m --multiple',
    '-t --tags',
    '-n --no-tags',
    '-p --prune',
    '-P --prune-tags',
    '--no-prune',
    '--dry-run',
    '--porcelain',
    '-k --keep',
    '-u --update-head-ok',
    '--unshallow',
    '--refetch',
    '--update-shallow',
    '--write-fetch-head',
    '--no-write-fetch-head',
    '--auto-gc',
    '--no-auto-gc',
    '--show-forced-updates',
    '--no-show-forced-updates',
    '--set-upstream',
    '--write-commit-graph',
    '--no-recurse-submodules',
  ),
  ...takes(
    'text',
    '--depth',
    '--deepen',
    '--shallow-since',
    '--shallow-exclude',
    '-j --jobs',
    '--refmap',
    '-o --server-option',
    '--negotiation-tip',
    '--filter',
  ),
  ...maybe('text', '--recurse-submodules'),
];

const transfers: readonly ToolSpec[] = [
  tool('fetch', {
    options: fetching,
    operands: each('text'),
    always: [writes('.git'), ...remoteHelpers],
    refine: named,
  }),
  tool('pull', {
    options: [
      ...fetching.filter((option) => !option.names.includes('-n')),
      ...flags(
        '-n --no-stat',
        '--stat',
        '--commit',
        '--no-commit',
        '--ff',
        '--no-ff',
        '--ff-only',
        '--squash',
        '--no-squash',
        '--no-rebase',
        '--autostash',
        '--no-autostash',
        '--verify',
        '--no-verify',
        '--no-edit',
        '--allow-unrelated-histories',
        '--signoff',
      ),
      ...maybe('text', '-r --rebase'),
      ...takes('text', '-X --strategy-option'),
      ...takes('program', '-s --strategy'),
    ],
    operands: each('text'),
    always: [reads('.'), writes('.'), ...remoteHelpers],
    refine: named,
  }),
  tool('push', {
    options: [
      ...talk,
      ...receive,
      ...flags(
        '--all --branches',
        '--mirror',
        '-d --delete',
        '--tags',
        '-n --dry-run',
        '--porcelain',
        '-f --force',
        '-u --set-upstream',
        '--thin',
        '--no-thin',
        '--prune',
        '--no-verify',
        '--verify',
        '--follow-tags',
        '--no-follow-tags',
        '--atomic',
        '--no-atomic',
        '--force-if-includes',
        '--no-force-with-lease',
      ),
      ...takes('text', '--repo', '-o --push-option', '--recurse-submodules'),
      ...maybe('text', '--force-with-lease'),
      ...maybe('text', '--signed'),
    ],
    operands: each('text'),
    always: [reads('.'), writes('.git'), ...remoteHelpers],
    refine: named,
  }),
  tool('clone', {
    options: [
      ...talk,
      ...packs.map((option) => ({ ...option, names: [...option.names, '-u'] })),
      ...flags(
        '-n --no-checkout',
        '--bare',
        '--mirror',
        '-l --local',
        '--no-local',
        '--no-hardlinks',
        '-s --shared',
        '--dissociate',
        '--single-branch',
        '--no-single-branch',
        '--no-tags',
        '--shallow-submodules',
        '--no-shallow-submodules',
        '--remote-submodules',
        '--sparse',
        '--reject-shallow',
        '--also-filter-submodules',
      ),
      ...takes(
        'text',
        '-o --origin',
        '-b --branch',
        '--depth',
        '--shallow-since',
        '--shallow-exclude',
        '-j --jobs',
        '--filter',
        '--server-option',
      ),
      ...maybe('text', '--recurse-submodules --recursive'),
      ...takes('read-tree', '--reference', '--reference-if-able'),
      ...takes('write-tree', '--separate-git-dir'),
      ...warnsTaking(opaqueEffect('inline-code', '`--template` names hooks that run in the clone'), '--template'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`--config` sets configuration that can name programs'),
        '-c --config',
      ),
      ...takes('url', '--bundle-uri'),
    ],
    operands: inOrder(['remote', 'write-tree']),
    always: [writes('.'), ...remoteHelpers],
    refine: (parsed) => ({ opaque: transportHelpers(parsed.operands) }),
  }),
  tool('ls-remote', {
    options: [
      ...talk,
      ...packs,
      ...takes('script', '--exec'),
      ...flags('-h --heads --branches', '-t --tags', '--refs', '--exit-code', '--get-url', '--symref'),
      ...takes('text', '--sort', '-o --server-option'),
    ],
    operands: each('text'),
    always: remoteHelpers,
    refine: (parsed, context) => (hasOption(parsed, '--get-url') ? {} : named(parsed, context)),
  }),
  tool('archive', {
    options: [
      ...flags('-l --list', '-v --verbose', '--worktree-attributes', '-#'),
      ...takes('text', '--format', '--prefix', '--mtime', '--add-virtual-file'),
      ...takes('write', '-o --output'),
      ...takes('read', '--add-file'),
      ...takes('remote', '--remote'),
      ...takes('script', '--exec'),
    ],
    operands: each('text'),
    always: [reads('.'), ...repositoryCode('the compressors that `tar.<format>.command` names')],
    // `--remote NAME` asks the remote of that name, unless it is a path.
    refine: (parsed) => ({
      hosts: optionValues(parsed, '--remote')
        .filter((word) => !/[/.]/u.test(wordAsTyped(word)))
        .map((word) => unknownHost(wordAsTyped(word))),
    }),
  }),
];

export const gitRemotes: ToolSpec = toolFamily(
  'remote',
  [
    tool('get-url', { options: flags('--push', '--all'), operands: each('text'), always: [reads('.')] }),
    tool('show', {
      options: flags('-n'),
      operands: each('text'),
      always: remoteHelpers,
      refine: reachesUnknown('the configured remote'),
    }),
    tool('update prune', {
      options: flags('-p --prune', '-n --dry-run'),
      operands: each('text'),
      always: [writes('.git'), ...remoteHelpers],
      refine: reachesUnknown('the configured remote'),
    }),
    tool('add', {
      options: [
        ...flags('--tags', '--no-tags'),
        ...takes('text', '-t', '-m'),
        ...maybe('text', '--mirror'),
        ...warns(opaqueEffect('repository-code', '`-f` fetches from the new remote'), '-f'),
      ],
      operands: inOrder(['text'], 'remote'),
      always: [writes('.git')],
      refine: (parsed) => ({ opaque: transportHelpers(parsed.operands) }),
    }),
    tool('set-url', {
      options: flags('--push', '--add', '--delete'),
      operands: inOrder(['text'], 'remote'),
      always: [writes('.git')],
      refine: (parsed) => ({ opaque: transportHelpers(parsed.operands) }),
    }),
    tool('rename remove rm set-branches', {
      options: flags('--add'),
      operands: each('text'),
      always: [writes('.git')],
    }),
    tool('set-head', {
      options: flags('-a --auto', '-d --delete'),
      operands: each('text'),
      always: [writes('.git')],
      refine: (parsed, context) =>
        hasOption(parsed, '--auto') ? reachesUnknown('the remote of the repository')(parsed, context) : {},
    }),
  ],
  { options: flags('-v --verbose'), always: [reads('.')] },
);

/** Subcommands that reach other hosts, or name them. */
export const gitRemote: readonly ToolSpec[] = [...transfers, gitRemotes, submodules];
