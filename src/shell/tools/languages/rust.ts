import {
  each,
  toolFamily,
  flags,
  noSpan,
  opaqueEffect,
  reaches,
  reads,
  repositoryCode,
  takes,
  tool,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { OptionSpec } from '../types.ts';
import { hasOption } from '../parsed-options.ts';
import { staticWord } from '../words.ts';
import { argumentFiles } from './project-code.ts';

const registryNames = ['crates.io', 'index.crates.io', 'static.crates.io'];

const registry = registryNames.map(reaches);

const registryHosts = registryNames.map((host) => ({ host, port: undefined, text: host }));

const cargoFlags: readonly OptionSpec[] = [
  ...flags(
    '-q --quiet',
    '-v --verbose',
    '--release -r',
    '--all',
    '--workspace',
    '--lib',
    '--bins',
    '--tests',
    '--examples',
    '--benches',
    '--all-targets',
    '--all-features',
    '--no-default-features',
    '--locked',
    '--frozen',
    '--offline',
    '--no-run',
    '--doc',
    '--no-fail-fast',
    '-k --keep-going',
    '--ignore-rust-version',
    '--open',
    '--no-deps',
    '--allow-dirty',
    '--dry-run',
    '-f --force',
    '--check',
    '--dev',
    '--build',
    '--optional',
    '--duplicates',
    '--ignored',
    '--timings',
  ),
  ...takes(
    'text',
    '-p --package',
    '--bin',
    '--test',
    '--example',
    '--bench',
    '--features -F',
    '--target',
    '-j --jobs',
    '--profile',
    '--message-format',
    '--exclude',
    '--color',
    '--edition',
    '--name',
    '--vcs',
    '--vers --version',
    '--rename',
    '--depth',
    '--format-version',
    '-e --edges',
    '-i --invert',
    '--format',
    '--branch',
    '--tag',
    '--rev',
  ),
  ...takes('url', '--git', '--index'),
  ...takes('read-tree', '--path'),
  ...takes('read', '--manifest-path'),
  ...takes('write-tree', '--target-dir', '--root', '--out-dir --artifact-dir'),
  ...takes('directory', '-C'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--config` can set a compiler wrapper, a linker or a runner'),
    '--config',
  ),
  ...warnsTaking(opaqueEffect('unknown-option', '`--registry` names another registry'), '--registry'),
  ...warnsTaking(opaqueEffect('unknown-option', '`-Z` enables unstable features'), '-Z'),
];

const cargoProject = repositoryCode(
  "the project's build scripts, macros, tests and the wrappers that .cargo/config.toml names",
);

const askedCompiler = [
  {
    kind: 'repository-code',
    message: 'runs the compiler that .cargo/config.toml names',
    span: noSpan,
    concerns: 'tool',
  },
] as const;

export const cargo = toolFamily(
  'cargo',
  [
    tool('build b check c clippy doc d bench rustc fix', {
      options: cargoFlags,
      operands: each('text'),
      always: [reads('.'), writes('.'), ...registry, ...cargoProject],
    }),
    tool('test t run r nextest', {
      options: cargoFlags,
      operands: each('text'),
      always: [reads('.'), writes('.'), ...registry, ...cargoProject],
    }),
    tool('pkgid', {
      options: cargoFlags,
      operands: each('text'),
      always: [reads('.')],
      refine: (parsed) => (hasOption(parsed, '--offline', '--frozen', '--no-deps') ? {} : { hosts: registryHosts }),
    }),
    // They ask the compiler for its target. Attack: `rustc = "./x"` in .cargo/config.toml.
    tool('tree metadata', {
      options: cargoFlags,
      operands: each('text'),
      always: [reads('.')],
      refine: (parsed) => {
        if (hasOption(parsed, '--no-deps')) return {};
        const code = {
          opaque: askedCompiler,
          runs: [{ what: 'the compiler that .cargo/config.toml names', kind: 'repository-code' }],
        } as const;
        return hasOption(parsed, '--offline', '--frozen') ? code : { ...code, hosts: registryHosts };
      },
    }),
    tool('locate-project verify-project read-manifest', {
      options: cargoFlags,
      operands: each('text'),
      always: [reads('.')],
    }),
    tool('search info', {
      options: [...cargoFlags, ...takes('text', '--limit')],
      operands: each('text'),
      always: registry,
    }),
    tool('fmt', {
      options: cargoFlags,
      operands: each('text'),
      always: [writes('.'), ...repositoryCode('the rustfmt or the alias that the project names')],
    }),
    tool('add remove rm update fetch generate-lockfile vendor', {
      options: cargoFlags,
      operands: each('text'),
      always: [writes('.'), ...registry],
    }),
    tool('new init', { options: cargoFlags, operands: { kind: 'each', role: 'write-tree', absent: '.' } }),
    tool('clean', { options: cargoFlags, always: [writes('.')] }),
    tool('install uninstall', {
      options: [...cargoFlags, ...flags('--list')],
      operands: each('text'),
      refine: (parsed) =>
        hasOption(parsed, '--list') && parsed.operands.length === 0
          ? {}
          : {
              hosts: registryHosts,
              opaque: [
                {
                  kind: 'inline-code',
                  message: 'installs a package, whose build script runs',
                  span: parsed.operands[0]?.span ?? noSpan,
                },
              ],
            },
    }),
    tool('publish yank owner login logout package', {
      options: cargoFlags,
      operands: each('text'),
      always: [...registry, ...cargoProject, opaqueEffect('unknown-option', 'changes something at the registry')],
    }),
    tool('version help', { operands: each('text') }),
  ],
  { options: [...cargoFlags, ...flags('-V', '--list', '-h --help')] },
);

export const rustc = tool('rustc', {
  options: [
    ...flags('-O', '-g', '-V --version', '-v --verbose', '--test', '-h --help'),
    ...takes(
      'text',
      '--edition',
      '--crate-type',
      '--crate-name',
      '--emit',
      '--target',
      '--cfg',
      '--print',
      '--explain',
      '-A',
      '-W',
      '-D',
      '--error-format',
    ),
    ...takes('write', '-o'),
    ...takes('write-tree', '--out-dir'),
    ...takes('read-tree', '-L', '--sysroot'),
    ...takes('text', '-l'),
    ...warnsTaking(opaqueEffect('inline-code', '`-C` can name a linker that runs'), '-C --codegen'),
    ...warnsTaking(opaqueEffect('inline-code', '`--extern` loads macros that run'), '--extern'),
  ],
  operands: each('read'),
  refine: (parsed, { path }) => ({
    opaque: argumentFiles(parsed),
    writes: parsed.operands.length === 0 ? [] : [path(staticWord('.'), 'write', 'tree')],
  }),
});

export const rustfmt = tool('rustfmt', {
  options: [
    ...flags('-V --version', '-h --help', '-q --quiet', '-v --verbose', '-l --files-with-diff'),
    ...takes('text', '--edition', '--color'),
    ...takes('read-tree', '--config-path'),
    { names: ['--check'], operands: each('read') },
  ],
  operands: each('write-tree'),
});

const changesCompilers = [
  reaches('static.rust-lang.org'),
  writes('~/.rustup'),
  opaqueEffect('unknown-option', 'changes the compilers that are installed'),
];

export const rustup = toolFamily(
  'rustup',
  [
    tool('show which', { options: flags('-v --verbose'), operands: each('text') }),
    ...['toolchain', 'target', 'component', 'override'].map((name) =>
      toolFamily(name, [
        tool('list', {
          options: [...flags('-v --verbose', '-q --quiet', '--installed'), ...takes('text', '--toolchain')],
        }),
        tool('install add remove uninstall link set unset', { operands: each('text'), always: changesCompilers }),
      ]),
    ),
    tool('update default self', {
      operands: each('text'),
      always: changesCompilers,
    }),
  ],
  { options: flags('-V --version') },
);
