import {
  each,
  flags,
  noSpan,
  opaqueEffect,
  reaches,
  repositoryCode,
  takes,
  tool,
  warnsTaking,
  writes,
} from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { mayBeOption, wordAsTyped } from '../words.ts';
import { argumentFiles, builders } from './project-code.ts';

export const java: readonly ToolSpec[] = [
  tool('java', {
    grammar: 'long',
    options: [
      ...flags('-version', '--version', '-showversion', '-ea', '-da', '-server', '-help', '--enable-preview'),
      // Other flags of `-XX:` write files, or name files with more flags.
      ...takes('text', '-XX:+Print*', '-XX:+Use*', '-XX:-Use*', '-XX:Max*', '-XX:Initial*', '-XshowSettings*'),
      ...takes('text', '-Xmx*', '-Xms*', '-Xss*', '-D*', '--add-opens', '--add-exports', '--add-modules'),
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

/** Tools beside the compiler that only show. `-J` gives options to the machine below, such as agents. */
export const classViewers: readonly ToolSpec[] = [
  tool('javap', {
    grammar: 'long',
    options: [
      ...flags('-c', '-p', '-v', '-l', '-s', '-public', '-protected', '-package', '-private', '-verbose', '-constants'),
      ...flags('-version', '--version', '-help', '--help'),
      ...takes('read-tree', '-cp', '-classpath', '--class-path'),
    ],
    operands: each('text'),
    refine: (parsed) => ({ opaque: argumentFiles(parsed) }),
  }),
  tool('jps', { options: [...flags('-q', '-m', '-l', '-v', '-V')] }),
  tool('jstack', { options: [...flags('-l', '-e')], operands: each('text') }),
  tool('jar', {
    grammar: 'words',
    operands: each('text'),
    refine: ({ operands: [letters, ...files] }, { path }) =>
      letters?.kind === 'static' &&
      /^-?[vf]*t[vf]*$/u.test(letters.value) &&
      files.every((word) => !mayBeOption(word) && !/^"?@/u.test(wordAsTyped(word)))
        ? { reads: files.slice(0, 1).map((word) => path(word, 'read', 'file')) }
        : {
            opaque: [
              {
                kind: 'unknown-option',
                message: 'makes, changes or unpacks an archive',
                span: letters?.span ?? noSpan,
              },
            ],
          },
  }),
];

export const jvm: readonly ToolSpec[] = [
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
