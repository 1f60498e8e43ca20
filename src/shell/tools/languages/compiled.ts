import {
  each,
  toolFamily,
  flags,
  inOrder,
  noSpan,
  opaqueEffect,
  reaches,
  reads,
  repositoryCode,
  takes,
  tool,
  warns,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { Opacity } from '../../types.ts';
import type { OptionSpec, ParsedArguments, ToolSpec } from '../types.ts';
import { wordAsTyped } from '../words.ts';

/** `@FILE` takes further arguments from a file, including options that name programs. */
const argumentFiles = (parsed: ParsedArguments): readonly Opacity[] =>
  parsed.operands
    .filter((word) => wordAsTyped(word).startsWith('@'))
    .map((word) => ({
      kind: 'inline-code',
      message: `\`${wordAsTyped(word)}\` takes options from a file`,
      span: word.span,
    }));

const modules = [reaches('proxy.golang.org'), reaches('sum.golang.org')];
const goFlags: readonly OptionSpec[] = [
  ...flags(
    '-race',
    '-v',
    '-x',
    '-n',
    '-a',
    '-work',
    '-cover',
    '-trimpath',
    '-short',
    '-json',
    '-failfast',
    '-benchmem',
    '-asan',
    '-msan',
    '-linkshared',
    '-modcacherw',
    '-m',
    '-u',
    '-e',
    '-deps',
    '-test',
    '-find',
    '-s',
    '-w',
  ),
  ...takes(
    'text',
    '-tags',
    '-run',
    '-bench',
    '-count',
    '-timeout',
    '-p',
    '-mod',
    '-buildmode',
    '-compiler',
    '-gcflags',
    '-asmflags',
    '-parallel',
    '-cpu',
    '-covermode',
    '-coverpkg',
    '-benchtime',
    '-f',
    '-skip',
    '-fuzz',
    '-fuzztime',
    '-shuffle',
    '-vet',
    '-list',
    '-go',
    '-require',
    '-droprequire',
    '-replace',
    '-buildvcs',
  ),
  ...takes('write', '-o', '-coverprofile', '-cpuprofile', '-memprofile', '-blockprofile', '-trace'),
  ...takes('write-tree', '-outputdir'),
  ...takes('read', '-modfile', '-overlay', '-pgo'),
  ...takes('directory', '-C'),
  ...takes('script', '-exec', '-toolexec', '-vettool'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`-ldflags` can name a linker that runs'),
    '-ldflags',
    '-gccgoflags',
    '-pkgdir',
    '-installsuffix',
  ),
];
const project = repositoryCode('code that the project holds');
const go = toolFamily('go', [
  tool('build vet install', {
    grammar: 'long',
    options: goFlags,
    operands: each('text'),
    always: [reads('.'), writes('.'), ...modules, ...repositoryCode('cgo and tools that the sources name')],
  }),
  tool('test', {
    grammar: 'long',
    options: goFlags,
    operands: each('text'),
    always: [reads('.'), ...modules, ...project],
  }),
  tool('run', {
    grammar: 'long',
    options: goFlags,
    operands: inOrder(['text'], 'text'),
    always: [reads('.'), ...modules, ...project],
  }),
  tool('generate', { grammar: 'long', options: goFlags, operands: each('text'), always: [writes('.'), ...project] }),
  tool('list', { grammar: 'long', options: goFlags, operands: each('text'), always: [reads('.'), ...modules] }),
  tool('doc version', {
    grammar: 'long',
    options: flags('-all', '-src', '-short', '-u', '-c', '-cmd', '-m', '-v'),
    operands: each('text'),
  }),
  tool('fmt fix', { grammar: 'long', options: flags('-n', '-x'), operands: each('text'), always: [writes('.')] }),
  tool('mod get work', {
    grammar: 'long',
    options: goFlags,
    operands: each('text'),
    always: [writes('.'), ...modules],
  }),
  tool('clean', {
    grammar: 'long',
    options: flags('-n', '-x', '-r', '-i', '-cache', '-testcache', '-modcache', '-fuzzcache'),
    operands: each('text'),
    always: [writes('.')],
  }),
  tool('env', {
    grammar: 'long',
    options: [
      ...flags('-json', '-changed'),
      ...warns(opaqueEffect('inline-code', '`-w` sets variables that can name programs'), '-w', '-u'),
    ],
    operands: each('text'),
  }),
  tool('tool', { grammar: 'words', operands: each('text'), always: project }),
]);

const registry = [reaches('crates.io'), reaches('index.crates.io'), reaches('static.crates.io')];
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
  ...warnsTaking(opaqueEffect('unknown-option', '`-Z` turns on what is not stable'), '-Z'),
];
const cargoProject = repositoryCode(
  "the project's build scripts, macros, tests and the wrappers that .cargo/config.toml names",
);
const cargo = toolFamily(
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
    tool('tree metadata pkgid locate-project verify-project read-manifest', {
      options: cargoFlags,
      operands: each('text'),
      always: [reads('.'), ...registry],
    }),
    tool('search info', {
      options: [...cargoFlags, ...takes('text', '--limit')],
      operands: each('text'),
      always: registry,
    }),
    tool('fmt', {
      options: cargoFlags,
      operands: each('text'),
      always: [writes('.'), ...repositoryCode('the rustfmt that the project names')],
    }),
    tool('add remove rm update fetch generate-lockfile vendor', {
      options: cargoFlags,
      operands: each('text'),
      always: [writes('.'), ...registry],
    }),
    tool('new init', { options: cargoFlags, operands: each('write-tree') }),
    tool('clean', { options: cargoFlags, always: [writes('.')] }),
    tool('install uninstall', {
      options: cargoFlags,
      operands: each('text'),
      always: [...registry, opaqueEffect('inline-code', 'installs a package, whose build script runs')],
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

const rustc = tool('rustc', {
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
  always: [writes('.')],
  refine: (parsed) => ({ opaque: argumentFiles(parsed) }),
});
const rustup = toolFamily(
  'rustup',
  [
    tool('show which', { options: flags('-v --verbose'), operands: each('text') }),
    tool('update toolchain target component default override self', {
      operands: each('text'),
      always: [
        reaches('static.rust-lang.org'),
        writes('~/.rustup'),
        opaqueEffect('unknown-option', 'changes the compilers that are installed'),
      ],
    }),
  ],
  { options: flags('-V --version') },
);

/** Compilers write, and run their plugins and programs from `-B`. */
const cc = tool('gcc cc g++ c++ clang clang++', {
  grammar: 'long',
  options: [
    ...flags(
      '-c',
      '-S',
      '-E',
      '-g',
      '-g0',
      '-g1',
      '-g2',
      '-g3',
      '-ggdb',
      '-O',
      '-O0',
      '-O1',
      '-O2',
      '-O3',
      '-Os',
      '-Og',
      '-Ofast',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-pedantic',
      '-w',
      '-v',
      '-pthread',
      '-static',
      '-shared',
      '-fPIC',
      '-fpic',
      '-fPIE',
      '-pie',
      '-no-pie',
      '-ansi',
      '-pipe',
      '-s',
      '-M',
      '-MM',
      '-MD',
      '-MMD',
      '-MP',
      '--version',
      '-dumpversion',
      '-dumpmachine',
      '-nostdlib',
      '-rdynamic',
      '-fsyntax-only',
    ),
    ...takes('text', '-x', '-MT', '-MQ', '-arch', '-u', '-target'),
    ...takes('text', '-D*', '-U*', '-l*', '-std', '-m*'),
    ...takes('read-tree', '-I*', '-L*', '-isystem', '-iquote'),
    ...takes('read', '-include'),
    ...takes('write', '-o', '-MF'),
    ...warnsTaking(opaqueEffect('inline-code', '`-B` says where the programs of the compiler are'), '-B*', '-specs'),
    ...warnsTaking(opaqueEffect('inline-code', '`-wrapper` runs a program'), '-wrapper'),
    ...warnsTaking(opaqueEffect('inline-code', '`-fplugin` loads a library'), '-fplugin', '-load'),
  ],
  operands: each('read'),
  refine: (parsed, context) =>
    parsed.operands.length === 0 ||
    parsed.options.some(({ spec }) => spec.names.includes('-o') || spec.names.includes('-fsyntax-only'))
      ? { opaque: argumentFiles(parsed) }
      : {
          opaque: argumentFiles(parsed),
          writes: [context.path({ kind: 'static', value: '.', span: noSpan }, 'write', 'tree')],
        },
});

const java: readonly ToolSpec[] = [
  tool('java', {
    grammar: 'long',
    options: [
      ...flags('-version', '--version', '-showversion', '-ea', '-da', '-server', '-help', '--enable-preview'),
      ...takes('text', '-Xmx*', '-Xms*', '-Xss*', '-D*', '-XX:*', '--add-opens', '--add-exports', '--add-modules'),
      ...takes('code-file', '-jar'),
      ...takes('read-tree', '-cp', '-classpath', '--class-path', '-p', '--module-path'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`-javaagent` and `-agentpath` load code'),
        '-javaagent:*',
        '-agentlib:*',
        '-agentpath:*',
      ),
      ...warnsTaking(
        opaqueEffect('inline-code', '`-XX:OnError` runs a command'),
        '-XX:OnError*',
        '-XX:OnOutOfMemoryError*',
      ),
    ].toSorted(
      (left, right) =>
        Math.max(...right.names.map((name) => name.length)) - Math.max(...left.names.map((name) => name.length)),
    ),
    operands: each('text'),
    refine: (parsed) =>
      parsed.operands.length === 0
        ? {}
        : {
            opaque: [
              ...argumentFiles(parsed),
              {
                kind: 'repository-code',
                message: 'runs a class or a source file of the project',
                span: parsed.operands[0]?.span ?? noSpan,
              },
            ],
            runs: [{ what: 'a class of the project', kind: 'repository-code' }],
          },
  }),
  tool('javac', {
    grammar: 'long',
    options: [
      ...flags(
        '-g',
        '-nowarn',
        '-verbose',
        '-deprecation',
        '-version',
        '--version',
        '-Xlint',
        '-parameters',
        '--enable-preview',
      ),
      ...takes('text', '-source', '-target', '--release', '-encoding', '-Xlint:*', '-proc:*'),
      ...takes('read-tree', '-cp', '-classpath', '--class-path', '-sourcepath', '-p'),
      ...takes('write-tree', '-d', '-s', '-h'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`-processor` and `-Xplugin` load code'),
        '-processor',
        '-processorpath',
        '-Xplugin:*',
      ),
    ],
    operands: each('read'),
    always: [writes('.'), ...repositoryCode('annotation processors of the class path')],
    refine: (parsed) => ({ opaque: argumentFiles(parsed) }),
  }),
];

const builders = repositoryCode('plugins, scripts and tests of the project');
const jvm: readonly ToolSpec[] = [
  tool('mvn mvnw', {
    grammar: 'long',
    options: [
      ...flags(
        '-q',
        '--quiet',
        '-B',
        '--batch-mode',
        '-o',
        '--offline',
        '-U',
        '--update-snapshots',
        '-e',
        '--errors',
        '-X',
        '--debug',
        '-v',
        '--version',
        '-V',
        '--show-version',
        '-ntp',
        '--no-transfer-progress',
        '-am',
        '--also-make',
        '-amd',
        '-N',
        '--non-recursive',
        '-fae',
        '-ff',
        '-fn',
        '-h',
        '--help',
      ),
      ...takes('text', '-pl', '--projects', '-rf', '--resume-from', '-P', '-T'),
      ...takes('read', '-f', '--file'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`-s` names settings with other repositories'),
        '-s',
        '--settings',
        '-gs',
        '--global-settings',
      ),
      ...takes('text', '-D*', '-P*', '-T*'),
    ],
    operands: each('text'),
    always: [reaches('repo.maven.apache.org'), writes('.'), ...builders],
  }),
  tool('gradle gradlew', {
    options: [
      ...flags(
        '-q --quiet',
        '-i --info',
        '-d --debug',
        '-s --stacktrace',
        '--offline',
        '--no-daemon',
        '--daemon',
        '--parallel',
        '--build-cache',
        '--no-build-cache',
        '-v --version',
        '--continue',
        '--rerun-tasks',
        '--dry-run -m',
        '--scan',
        '--stop',
        '--refresh-dependencies',
        '-h --help',
      ),
      ...takes('text', '-D', '-P', '-x --exclude-task', '--tests', '--console', '--max-workers'),
      ...takes('directory', '-p --project-dir'),
      ...takes('code-file', '-b --build-file', '-I --init-script', '-c --settings-file'),
      ...takes('write-tree', '-g --gradle-user-home'),
    ],
    operands: each('text'),
    always: [reaches('repo.maven.apache.org'), reaches('plugins.gradle.org'), writes('.'), ...builders],
  }),
];

const dotnetOptions: readonly OptionSpec[] = [
  ...flags('--no-restore', '--no-build', '--nologo', '--force', '--no-incremental', '--no-logo'),
  ...takes(
    'text',
    '-c --configuration',
    '-f --framework',
    '-r --runtime',
    '-v --verbosity',
    '--filter',
    '-p --property',
    '--logger',
    '--collect',
  ),
  ...takes('write-tree', '-o --output', '--results-directory'),
  ...takes('read', '--project', '-s --settings'),
];
const dotnet = toolFamily(
  'dotnet',
  [
    tool('build test run publish pack restore clean msbuild format', {
      options: dotnetOptions,
      operands: each('text'),
      always: [reaches('api.nuget.org'), writes('.'), ...builders],
    }),
    tool('new sln add list remove nuget tool', {
      options: dotnetOptions,
      operands: each('text'),
      always: [reaches('api.nuget.org'), writes('.'), ...builders],
    }),
  ],
  { options: flags('--version', '--info', '--list-sdks', '--list-runtimes', '-h --help') },
);
const swift = toolFamily(
  'swift',
  [
    tool('build test run package', {
      options: [
        ...flags('-v --verbose', '--parallel', '--static-swift-stdlib'),
        ...takes('text', '-c --configuration', '--product', '--target', '--filter'),
        ...takes('directory', '--package-path'),
        ...takes('write-tree', '--scratch-path --build-path'),
      ],
      operands: each('text'),
      always: [writes('.'), ...builders],
    }),
  ],
  { options: flags('--version', '-h --help') },
);
const haskell: readonly ToolSpec[] = [
  tool('ghc', {
    grammar: 'long',
    options: [
      ...flags('-O', '-O0', '-O1', '-O2', '-Wall', '-Werror', '--version', '--make', '-c', '-v', '-threaded'),
      ...takes('write', '-o'),
      ...takes('write-tree', '-outputdir', '-odir', '-hidir'),
      ...takes('code', '-e'),
      ...warnsTaking(
        opaqueEffect('inline-code', '`-pgm` and `-fplugin` run programs or load code'),
        '-pgm*',
        '-fplugin*',
        '-F',
      ),
    ],
    operands: each('read'),
    always: [writes('.'), ...repositoryCode('templates that the sources run while they compile')],
  }),
  ...['cabal', 'stack'].map((name) =>
    toolFamily(
      name,
      [
        tool('build test run bench install', {
          options: [
            ...flags('-v', '--fast', '--enable-tests', '--only-dependencies'),
            ...takes('text', '-j --jobs', '-f --flags'),
          ],
          operands: each('text'),
          always: [reaches('hackage.haskell.org'), writes('.'), ...builders],
        }),
      ],
      { options: flags('--version', '--help') },
    ),
  ),
];

export const compiledTools: readonly ToolSpec[] = [
  go,
  tool('gofmt', {
    grammar: 'long',
    options: [
      ...flags('-l', '-d', '-e', '-s'),
      ...warns(writes('.'), '-w'),
      ...takes('text', '-r'),
      ...takes('write', '-cpuprofile'),
    ],
    operands: each('read-tree'),
  }),
  cargo,
  rustc,
  rustup,
  cc,
  ...java,
  ...jvm,
  dotnet,
  swift,
  ...haskell,
];
