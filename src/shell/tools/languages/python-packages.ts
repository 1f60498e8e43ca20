import {
  each,
  toolFamily,
  flags,
  inOrder,
  opaqueEffect,
  reaches,
  reads,
  repositoryCode,
  takes,
  tool,
  warns,
  writes,
  noSpan,
} from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { OptionSpec, ToolSpec } from '../types.ts';
import { packageSources } from './sources.ts';
import { wordAsTyped } from '../words.ts';

export const packageIndex = [reaches('pypi.org'), reaches('files.pythonhosted.org')];

const sources = repositoryCode('build scripts of the packages and of the project');

export const pipOptions: readonly OptionSpec[] = [
  ...flags(
    '-q --quiet',
    '-v --verbose',
    '--no-cache-dir',
    '--no-input',
    '--disable-pip-version-check',
    '--isolated',
    '--no-color',
    '--require-virtualenv',
    '--debug',
    '-h --help',
  ),
  ...takes(
    'text',
    '--timeout',
    '--retries',
    '--progress-bar',
    '--cert',
    '--use-feature',
    '--use-deprecated',
    '--exists-action',
    '--python-version',
    '--platform',
    '--abi',
    '--implementation',
  ),
  ...takes('write', '--log'),
  ...takes('write-tree', '--cache-dir'),
  ...takes('url', '--proxy', '-i --index-url', '--extra-index-url', '--find-links'),
  ...takes('host', '--trusted-host'),
  ...takes('program', '--python', '--keyring-provider'),
];

const choice: readonly OptionSpec[] = [
  ...pipOptions,
  ...flags(
    '-U --upgrade',
    '--user',
    '--no-deps',
    '--pre',
    '--force-reinstall',
    '-I --ignore-installed',
    '--no-build-isolation',
    '--only-binary-all',
    '--dry-run',
    '--break-system-packages',
    '--no-warn-script-location',
    '--no-compile',
    '--require-hashes',
    '--no-index',
    '--prefer-binary',
  ),
  ...takes('text', '--only-binary', '--no-binary', '--upgrade-strategy', '-C --config-settings', '--global-option'),
  ...takes('read', '-r --requirement', '-c --constraint'),
  ...takes('write-tree', '-t --target', '--prefix', '--root', '-d --dest', '-w --wheel-dir'),
  { names: ['-e', '--editable'], value: 'required', role: 'read-tree' },
  ...takes('write', '--report'),
  ...takes('url', '-f'),
];

export const pipCommands: readonly ToolSpec[] = [
  tool('install', {
    options: choice,
    operands: each('text'),
    refine: packageSources,
    always: [...packageIndex, ...sources, opaqueEffect('inline-code', 'installs packages, whose build scripts run')],
  }),
  tool('download wheel', {
    options: choice,
    operands: each('text'),
    refine: packageSources,
    always: [
      ...packageIndex,
      writes('.'),
      ...sources,
      opaqueEffect('inline-code', 'builds packages, whose build scripts run'),
    ],
  }),
  tool('list freeze check inspect', {
    options: [
      ...pipOptions,
      ...warns(reaches('pypi.org'), '-o --outdated', '-u --uptodate'),
      ...flags('-e --editable', '-l --local', '--user', '--not-required', '--all', '--exclude-editable'),
      ...takes('text', '--format', '--exclude'),
    ],
  }),
  tool('show', { options: [...pipOptions, ...flags('-f --files')], operands: each('text') }),
  tool('index search', { options: [...pipOptions, ...flags('--pre')], operands: each('text'), always: packageIndex }),
  tool('uninstall', {
    options: [...pipOptions, ...flags('-y --yes', '--break-system-packages'), ...takes('read', '-r --requirement')],
    operands: each('text'),
    always: [opaqueEffect('unknown-option', 'deletes installed packages')],
  }),
  tool('cache config debug hash', {
    options: pipOptions,
    operands: each('text'),
    refine: ({ operands: [verb] }) =>
      verb !== undefined && ['list', 'get', 'dir', 'info'].includes(wordAsTyped(verb))
        ? {}
        : {
            opaque: [{ kind: 'unknown-option', message: 'changes settings or the cache', span: verb?.span ?? noSpan }],
          },
  }),
];

export const pip = toolFamily('pip pip3', pipCommands, { options: [...pipOptions, ...flags('-V --version')] });

export const buildsProject = repositoryCode('build scripts and tools of the project');

export const poetry = toolFamily(
  'poetry',
  [
    tool('show env check', {
      options: [
        ...flags('-t --tree', '-a --all', '--lock', '--path', '--full-path', '--strict'),
        ...warns(reaches('pypi.org'), '-l --latest', '-o --outdated'),
      ],
      operands: each('text'),
      always: [reads('.')],
    }),
    tool('config', {
      options: flags('--list'),
      operands: each('text'),
      // One word is a key to show.
      refine: ({ operands: [, value] }) =>
        value === undefined
          ? {}
          : { opaque: [{ kind: 'unknown-option', message: 'changes settings', span: value.span }] },
    }),
    tool('install add remove update lock build', {
      options: [
        ...flags(
          '--no-root',
          '--sync',
          '-n --no-interaction',
          '-q --quiet',
          '-v',
          '--dry-run',
          '--all-extras',
          '-D --dev',
        ),
        ...takes('text', '-G --group', '-E --extras', '--with', '--without', '--only'),
      ],
      operands: each('text'),
      always: [...packageIndex, writes('.'), ...buildsProject],
    }),
    tool('run', { grammar: 'words', operands: inOrder(['command']), always: buildsProject }),
  ],
  {
    options: [
      ...flags('-V --version', '-n --no-interaction', '-q --quiet', '-v', '-h --help'),
      ...takes('directory', '-C --directory'),
    ],
  },
);

export const pipx = toolFamily(
  'pipx',
  [
    tool('list', { options: flags('--short', '--json') }),
    tool('run install inject upgrade', {
      options: flags('-f --force', '-q --quiet'),
      operands: each('text'),
      always: [...packageIndex, opaqueEffect('inline-code', 'runs or installs a package of the registry')],
    }),
  ],
  { options: flags('--version') },
);

const channels = reaches('conda.anaconda.org');

export const conda = toolFamily(
  'conda mamba',
  [
    tool('list info', {
      options: [...flags('--json', '-e --export', '--envs', '-a --all'), ...takes('text', '-n --name')],
      operands: each('text'),
    }),
    toolFamily('env', [
      tool('list', { options: flags('--json') }),
      tool('create update remove export', {
        operands: each('text'),
        always: [channels, opaqueEffect('inline-code', 'installs packages, whose scripts run')],
      }),
    ]),
    tool('config', {
      options: [...flags('--json', '--show-sources'), { names: ['--show'], operands: each('text') }],
      operands: each('refused'),
      refine: (parsed) =>
        hasOption(parsed, '--show', '--show-sources')
          ? {}
          : { opaque: [{ kind: 'inline-code', message: 'changes where packages come from', span: noSpan }] },
    }),
    tool('search', {
      options: [...flags('--json'), ...takes('text', '-c --channel')],
      operands: each('text'),
      always: [channels],
    }),
    tool('install create update remove', {
      options: [
        ...flags('-y --yes', '-q --quiet', '--all'),
        ...takes('text', '-n --name', '-c --channel'),
        ...takes('read', '-f --file'),
        ...takes('write-tree', '-p --prefix'),
      ],
      operands: each('text'),
      always: [channels, opaqueEffect('inline-code', 'installs packages, whose scripts run')],
    }),
    tool('run', {
      grammar: 'getopt-posix',
      options: [
        ...flags('--no-capture-output', '--live-stream'),
        ...takes('text', '-n --name'),
        ...takes('directory', '--cwd'),
      ],
      operands: inOrder(['command']),
    }),
  ],
  { options: flags('-V --version', '-h --help') },
);
