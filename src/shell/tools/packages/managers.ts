import {
  each,
  toolFamily,
  flags,
  inOrder,
  maybe,
  noSpan,
  opaqueEffect,
  reachesUnknown,
  takes,
  tool,
  warnsTaking,
} from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { plainText } from '../words.ts';
import { versionManagers } from './version-managers.ts';
import { changesSystem } from './system-changes.ts';
import { dpkg, dpkgDeb, dpkgQuery, pacman, rpm } from './package-files.ts';

/** Subcommands of a system's package manager, by their effects. */
interface Manager {
  readonly names: string;
  readonly options: readonly OptionSpec[];
  /** Subcommands that only look at installed packages. */
  readonly local: string;
  /** Subcommands that look at the servers' packages. */
  readonly remote?: string;
  /** Subcommands that look only at installed packages if the word `installed` says so. */
  readonly installed?: string;
  /** Subcommands that fetch lists or files, and run nothing of a package. */
  readonly fetching?: string;
  readonly changing: string;
}

const servers = reachesUnknown('the package servers that the configuration names');

const serversUnlessInstalled: Refine = (parsed, context) =>
  (plainText(parsed.operands[0]) === 'installed' || hasOption(parsed, '--installed')) && !hasOption(parsed, '--refresh')
    ? {}
    : servers(parsed, context);

const fetches: Refine = (parsed, context) => ({
  ...servers(parsed, context),
  opaque: [
    { kind: 'inline-code', message: 'changes the lists of packages', span: noSpan, atMost: 'changes the machine' },
  ],
});

const manager = ({ names, options, local, remote = '', installed, fetching = '', changing }: Manager): ToolSpec =>
  toolFamily(
    names,
    [
      ...(local === '' ? [] : [tool(local, { options, operands: each('text') })]),
      ...(remote === '' ? [] : [tool(remote, { options, operands: each('text'), refine: servers })]),
      ...(installed === undefined
        ? []
        : [tool(installed, { options, operands: each('text'), refine: serversUnlessInstalled })]),
      ...(fetching === '' ? [] : [tool(fetching, { options, operands: each('text'), refine: fetches })]),
      tool(changing, { options, operands: each('text'), always: [changesSystem], refine: servers }),
    ],
    { options },
  );

const aptOptions: readonly OptionSpec[] = [
  ...flags(
    '-y --yes --assume-yes',
    '-q --quiet',
    '--no-install-recommends',
    '--no-install-suggests',
    '--installed',
    '--upgradable',
    '-a --all-versions',
    '-s --simulate --dry-run',
    '-d --download-only',
    '--reinstall',
    '--allow-downgrades',
    '--purge',
    '--autoremove',
    '--fix-broken -f',
    '--only-upgrade',
    '--names-only -n',
    '--full',
    '-V --verbose-versions',
    '-v --version',
    '-m --fix-missing',
    '--no-upgrade',
    '--assume-no',
    '-u --show-upgraded',
    '--allow-unauthenticated',
    '--print-uris',
  ),
  ...takes('text', '-t --target-release --default-release'),
  ...warnsTaking(
    opaqueEffect(
      'inline-code',
      '`-o` sets options, and `DPkg::Pre-Invoke`, `APT::Update::Pre-Invoke` and others run commands',
    ),
    '-o --option',
  ),
  ...warnsTaking(
    opaqueEffect('inline-code', '`-c` takes options that can run commands from a file'),
    '-c --config-file',
  ),
];

const dnfOptions: readonly OptionSpec[] = [
  ...flags(
    '-y --assumeyes',
    '-q --quiet',
    '-v --verbose',
    '-C --cacheonly',
    '--installed',
    '--available',
    '--nogpgcheck',
    '--refresh',
    '--best',
    '--version',
    '--all',
  ),
  ...takes('text', '--enablerepo', '--disablerepo', '--repo', '-x --exclude', '--releasever'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`-c` and `--setopt` can load plugins'),
    '-c --config',
    '--setopt',
    '--installroot',
  ),
];

const plain: readonly OptionSpec[] = [
  ...flags('-y --yes', '-q --quiet', '-v --verbose', '--version', '-h --help', '--json', '--all -a'),
];

const managers: readonly Manager[] = [
  {
    names: 'apt apt-get aptitude',
    options: aptOptions,
    local: 'list show policy depends rdepends search showsrc madison',
    fetching: 'update download autoclean clean',
    changing:
      'install remove purge upgrade full-upgrade dist-upgrade autoremove build-dep source edit-sources reinstall satisfy changelog check',
  },
  {
    names: 'apt-cache',
    options: aptOptions,
    local: 'search show policy depends rdepends pkgnames showpkg stats madison showsrc unmet dump',
    changing: 'gencaches',
  },
  {
    names: 'apt-mark',
    options: aptOptions,
    local: 'showhold showauto showmanual',
    changing: 'hold unhold auto manual minimize-manual',
  },
  {
    names: 'dnf yum microdnf',
    options: dnfOptions,
    local: '',
    installed: 'list',
    remote: 'info search repolist provides repoquery check-update history deplist',
    changing:
      'install remove erase update upgrade reinstall autoremove clean makecache groupinstall group module downgrade swap localinstall distro-sync config-manager',
  },
  {
    names: 'apk',
    options: [
      ...plain,
      ...flags('--no-cache', '-U --update-cache', '--no-network'),
      ...takes('text', '-t --virtual', '-X --repository'),
      ...warnsTaking(opaqueEffect('inline-code', '`--root` names another system'), '-p --root'),
    ],
    local: 'info list version',
    remote: 'search policy',
    changing: 'add del fix update upgrade cache fetch audit',
  },
  {
    names: 'snap flatpak',
    options: plain,
    local: 'list version',
    // `snap info` asks the store.
    remote: 'find search info',
    changing: 'install remove refresh update run uninstall enable disable connect override',
  },
  {
    names: 'brew',
    options: [
      ...plain,
      ...flags('--prefix', '--cellar', '--caskroom', '--repository'),
      ...flags('--cask', '--formula', '--versions', '--greedy', '--force -f', '--HEAD', '--overwrite'),
    ],
    local: 'list ls deps leaves config uses --version',
    remote: 'search info outdated desc doctor',
    changing:
      'install uninstall remove upgrade update reinstall tap untap link unlink services cleanup bundle pin edit create',
  },
  {
    names: 'zypper',
    options: [...plain, ...flags('-n --non-interactive', '--no-refresh')],
    local: '',
    remote: 'search se info if repos lr list-updates lu',
    changing: 'install in remove rm update up refresh ref addrepo ar dup patch',
  },
  {
    names: 'port',
    options: plain,
    local: 'installed contents',
    remote: 'search info',
    changing: 'install uninstall selfupdate upgrade sync activate',
  },
  {
    names: 'choco winget scoop',
    options: plain,
    local: 'list',
    remote: 'search info show',
    changing: 'install uninstall upgrade update add import',
  },
];

const keys = tool('apt-key add-apt-repository', {
  options: [...flags('-y', '-r'), ...maybe('text', '--keyserver')],
  operands: inOrder([], 'refused'),
});

export const packagesTools: readonly ToolSpec[] = [
  ...managers.map(manager),
  ...versionManagers,
  dpkg,
  dpkgDeb,
  dpkgQuery,
  rpm,
  pacman,
  keys,
];
