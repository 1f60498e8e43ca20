import {
  noSpan,
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
  warnsTaking,
  writes,
} from '../notation.ts';
import type { OptionSpec, Refine } from '../types.ts';
import { plainText } from '../words.ts';
import { projectCode } from './project-code.ts';

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

/** Only Go's own tools that show. Another name may be a tool that go.mod names, which is built and run. */
const toolOfGo: Refine = ({ operands }) => {
  const [name, ...rest] = operands.map((word) => plainText(word) ?? '$');
  const shows =
    name === undefined ||
    (['nm', 'objdump', 'addr2line'].includes(name) && !rest.includes('$')) ||
    (name === 'dist' && rest.join(' ') === 'list');
  const what = 'a tool that go.mod may name';
  const span = operands[0]?.span ?? noSpan;
  return shows
    ? {}
    : {
        runs: [{ what, kind: 'repository-code' }],
        opaque: [{ kind: 'repository-code', message: `runs ${what}`, span, concerns: 'tool' }],
      };
};

export const go = toolFamily('go', [
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
    always: [reads('.'), ...modules, ...projectCode],
  }),
  tool('run', {
    grammar: 'long',
    options: goFlags,
    operands: inOrder(['text'], 'text'),
    always: [reads('.'), ...modules, ...projectCode],
  }),
  tool('generate', {
    grammar: 'long',
    options: goFlags,
    operands: each('text'),
    always: [writes('.'), ...projectCode],
  }),
  tool('list', { grammar: 'long', options: goFlags, operands: each('text'), always: [reads('.'), ...modules] }),
  tool('help', { operands: each('text') }),
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
  tool('tool', { grammar: 'words', operands: each('text'), refine: toolOfGo }),
]);
