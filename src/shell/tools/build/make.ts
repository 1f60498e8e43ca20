import {
  each,
  toolFamily,
  flags,
  maybe,
  noSpan,
  opaqueEffect,
  repositoryCode,
  takes,
  tool,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { hasOption, optionValues } from '../parsed-options.ts';
import { staticWord, wordAsTyped } from '../words.ts';

/** `make SHELL=./x`: variables of the command line override the makefile's, and some of them are programs. */
const variables: Refine = (parsed) => ({
  opaque: parsed.operands
    .filter((word) => /^[\w.]+\s*[:+?!]*=/u.test(wordAsTyped(word)))
    .map((word) => ({
      kind: 'inline-code',
      message: `\`${wordAsTyped(word)}\` sets a variable that the makefile may run`,
      span: word.span,
    })),
});

const recipes = [writes('.'), ...repositoryCode('recipes and functions of the makefile')];

export const make = tool('make gmake', {
  options: [
    ...flags(
      '-B --always-make',
      '-b',
      '-d',
      '-e --environment-overrides',
      '-i --ignore-errors',
      '-k --keep-going',
      '-L --check-symlink-times',
      '-n --just-print --dry-run --recon',
      '-p --print-data-base',
      '-q --question',
      '-r --no-builtin-rules',
      '-R --no-builtin-variables',
      '-s --silent --quiet',
      '--no-silent',
      '-S --no-keep-going --stop',
      '-t --touch',
      '--trace',
      '-v --version',
      '-w --print-directory',
      '--no-print-directory',
      '--warn-undefined-variables',
      '-h --help',
      '-m',
    ),
    ...maybe('text', '-j --jobs', '-l --load-average --max-load', '-O --output-sync', '--debug'),
    ...takes('text', '--jobserver-style', '--shuffle'),
    ...takes('text', '-o --old-file --assume-old', '-W --what-if --new-file --assume-new'),
    ...takes('directory', '-C --directory'),
    ...takes('read-tree', '-I --include-dir'),
    ...takes('code-file', '-f --file --makefile'),
    ...takes('code', '-E --eval'),
  ],
  operands: each('text'),
  always: recipes,
  refine: variables,
});

export const cmake = tool('cmake', {
  grammar: 'getopt',
  options: [
    ...flags(
      '--version',
      '-h --help',
      '--fresh',
      '-N',
      '-L',
      '--trace',
      '--clean-first',
      '-v --verbose',
      '--list-presets',
      '--no-warn-unused-cli',
      '--progress',
    ),
    ...takes(
      'text',
      '-G',
      '-T',
      '-A',
      '-U',
      '-j --parallel',
      '-t --target',
      '--config',
      '--preset',
      '--component',
      '--log-level',
      '-W',
    ),
    ...takes('read-tree', '-S'),
    ...takes('write-tree', '-B', '--build', '--install', '--prefix', '--install-prefix'),
    ...takes('code-file', '-P', '-C', '--toolchain'),
    ...takes('text', '-D'),
    ...takes('refused', '-E'),
  ],
  operands: each('read-tree'),
  always: repositoryCode('CMakeLists.txt, and commands that it names'),
  // `CMAKE_C_COMPILER`, `…_LAUNCHER`, `…_LINKER`: program names among arbitrary definitions.
  refine: (parsed) => ({
    opaque: parsed.options
      .filter(
        ({ spelled, value }) =>
          spelled === '-D' &&
          value !== undefined &&
          /compiler|launcher|linker|command|program|executable|toolchain|include|rule/iu.test(wordAsTyped(value)),
      )
      .map(({ value }) => ({
        kind: 'inline-code',
        message: `\`-D${value === undefined ? '' : wordAsTyped(value)}\` can name a program`,
        span: value?.span ?? noSpan,
      })),
  }),
});

const rules = 'rules of build.ninja';

/** Parts of ninja that only show. With `-n` it runs nothing, not even the rule that makes build.ninja again. */
const showsRules = /^(?:list|targets|query|graph|commands|rules|compdb|inputs)$/u;

export const ninja = tool('ninja', {
  options: [
    ...flags('-v --verbose', '-n', '--quiet', '--version', '-h --help'),
    ...takes('text', '-j', '-k', '-l', '-d', '-w', '-t'),
    ...takes('directory', '-C'),
    ...takes('code-file', '-f'),
  ],
  operands: each('text'),
  refine: (parsed, { path }) =>
    hasOption(parsed, '-n', '--version', '--help') ||
    optionValues(parsed, '-t').some((word) => showsRules.test(wordAsTyped(word)))
      ? {}
      : {
          writes: [path(staticWord('.'), 'write', 'tree')],
          runs: [{ what: rules, kind: 'repository-code' }],
          opaque: [{ kind: 'repository-code', message: `runs ${rules}`, span: noSpan, concerns: 'tool' }],
        },
});

export const just = tool('just', {
  options: [
    ...flags(
      '-l --list',
      '-n --dry-run',
      '-q --quiet',
      '-v --verbose',
      '-u --unsorted',
      '--summary',
      '--dump',
      '-V --version',
      '-h --help',
      '--evaluate',
      '--yes',
      '--fmt',
      '--check',
    ),
    ...takes('text', '--color', '-s --show'),
    ...takes('directory', '-d --working-directory'),
    ...takes('code-file', '-f --justfile'),
    ...takes('read', '-E --dotenv-path'),
    ...takes('program', '--shell', '--chooser'),
    ...warnsTaking(
      opaqueEffect('inline-code', '`--set` sets a variable that a recipe may run'),
      '--set',
      '--shell-arg',
    ),
    ...takes('command', '-c --command'),
  ],
  operands: each('text'),
  always: [writes('.'), ...repositoryCode('recipes of the justfile')],
  refine: variables,
});

export const task = tool('task go-task', {
  options: [
    ...flags(
      '-l --list',
      '-a --list-all',
      '-n --dry',
      '-s --silent',
      '-v --verbose',
      '-f --force',
      '-p --parallel',
      '-w --watch',
      '-y --yes',
      '--version',
      '-h --help',
      '--summary',
      '--status',
    ),
    ...takes('text', '-o --output', '-C --concurrency'),
    ...takes('directory', '-d --dir'),
    ...takes('code-file', '-t --taskfile'),
  ],
  operands: each('text'),
  always: [writes('.'), ...repositoryCode('tasks of the Taskfile')],
  refine: variables,
});

const bazelOptions = [
  ...flags('-k --keep_going', '-s --subcommands', '--verbose_failures', '--nocache_test_results', '--nobuild'),
  ...takes(
    'text',
    '-c --compilation_mode',
    '-j --jobs',
    '--config',
    '--test_output',
    '--test_filter',
    '--output',
    '--noimplicit_deps',
  ),
];
export const bazel = toolFamily(
  'bazel bazelisk',
  [
    tool('build test run coverage query cquery fetch sync info clean', {
      options: bazelOptions,
      operands: each('text'),
      always: [writes('.'), ...repositoryCode('rules, workspace and tests of the project')],
    }),
    tool('version help'),
  ],
  {
    options: flags('--version'),
    // Attack: `.bazeliskrc` names a program to download, and the wrapper of Debian's package runs `tools/bazel`.
    always: repositoryCode('the Bazel that .bazeliskrc or tools/bazel names'),
  },
);

export const meson = toolFamily(
  'meson',
  [
    tool('setup configure', {
      options: [
        ...flags('--reconfigure', '--wipe'),
        ...takes('text', '-D', '--buildtype', '--prefix', '--default-library'),
        ...takes('code-file', '--native-file', '--cross-file'),
      ],
      operands: each('write-tree'),
      always: repositoryCode('meson.build, and commands that it names'),
    }),
    tool('compile test install dist introspect', {
      options: [
        ...flags('-v --verbose', '--clean', '--no-rebuild', '--targets', '-a --all'),
        ...takes('text', '-j --jobs', '--suite', '-t'),
        ...takes('directory', '-C'),
        ...takes('script', '--wrapper --wrap'),
      ],
      operands: each('text'),
      always: [writes('.'), ...repositoryCode('targets and tests of the project')],
    }),
  ],
  { options: flags('-v --version', '-h --help') },
);

export const generators: readonly ToolSpec[] = [
  'autoconf',
  'automake',
  'autoreconf',
  'configure',
  'scons',
  'ant',
  'sbt',
  'mage',
  'buck2',
  'xcodebuild',
  'qmake',
].map((name) =>
  tool(name, {
    options: flags('-v', '-f', '-i', '-q', '--version', '--help'),
    operands: each('text'),
    always: [writes('.'), ...repositoryCode('the build description of the project')],
    refine: variables,
  }),
);
