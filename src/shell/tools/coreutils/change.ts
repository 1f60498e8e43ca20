import { each, flags, inOrder, maybe, takes, tool } from '../notation.ts';
import type { OptionSpec, Refine, ToolSpec } from '../types.ts';
import { plainText } from '../words.ts';
import { gnu } from './gnu.ts';

const deep = (names: string): OptionSpec => ({ names: names.split(' '), deep: true });

const rm = gnu('rm', {
  dash: 'file',
  operands: each('delete'),
  options: [
    deep('-r -R --recursive'),
    ...flags('-f --force', '-i', '-I', '--one-file-system', '--no-preserve-root', '-d --dir', '-v --verbose'),
    ...maybe('text', '--interactive', '--preserve-root'),
  ],
});

const rmdir = gnu('rmdir', {
  dash: 'file',
  operands: each('delete'),
  options: flags('--ignore-fail-on-non-empty', '-v --verbose'),
});
const unlink = gnu('unlink', { dash: 'file', operands: inOrder(['delete']) });

const mkdir = gnu('mkdir', {
  dash: 'file',
  operands: each('write'),
  options: [
    ...flags('-p --parents', '-v --verbose', '-Z'),
    ...takes('text', '-m --mode'),
    ...maybe('text', '--context'),
  ],
});
const mkfifo = gnu('mkfifo', {
  dash: 'file',
  operands: each('write'),
  options: [...flags('-Z'), ...takes('text', '-m --mode'), ...maybe('text', '--context')],
});
const mknod = gnu('mknod', {
  dash: 'file',
  operands: inOrder(['write'], 'text'),
  options: [...flags('-Z'), ...takes('text', '-m --mode'), ...maybe('text', '--context')],
});

const touch = gnu('touch', {
  operands: each('write'),
  options: [
    ...flags('-a', '-c --no-create', '-f', '-h --no-dereference', '-m'),
    ...takes('text', '-d --date', '-t', '--time'),
    ...takes('read', '-r --reference'),
  ],
});

/** A mode that removes rights looks like options: `chmod -x file`. Then all operands are files. */
const modes: readonly OptionSpec[] = [...'rwxXstugoa'].map((letter) => ({
  names: [`-${letter}`],
  value: 'optional',
  operands: each('write'),
}));

const reference: OptionSpec = { names: ['--reference'], value: 'required', role: 'read', operands: each('write') };
const changesOwner = [
  ...flags('-c --changes', '-f --silent --quiet', '-v --verbose', '--no-preserve-root', '--preserve-root'),
  deep('-R --recursive'),
  reference,
];

const chmod = gnu('chmod', {
  dash: 'file',
  operands: inOrder(['text'], 'write'),
  options: [...changesOwner, ...modes],
});
const owners = [...changesOwner, ...flags('--dereference', '-h --no-dereference', '-H', '-L', '-P')];
const chown = gnu('chown', {
  dash: 'file',
  operands: inOrder(['text'], 'write'),
  options: [...owners, ...takes('text', '--from')],
});
const chgrp = gnu('chgrp', { dash: 'file', operands: inOrder(['text'], 'write'), options: owners });

const truncate = gnu('truncate', {
  dash: 'file',
  operands: each('write'),
  options: [
    ...flags('-c --no-create', '-o --io-blocks'),
    ...takes('text', '-s --size'),
    ...takes('read', '-r --reference'),
  ],
});

const shred = gnu('shred', {
  operands: each('write'),
  options: [
    ...flags('-f --force', '-v --verbose', '-x --exact', '-z --zero'),
    { names: ['-u'], operands: each('delete') },
    { names: ['--remove'], value: 'optional', operands: each('delete') },
    ...takes('text', '-n --iterations', '-s --size'),
    ...takes('read', '--random-source'),
  ],
});

/** Without a template, the file is created in TMPDIR, which the box sets to /tmp. */
const mktemp = gnu('mktemp', {
  operands: { kind: 'each', role: 'write', absent: '/tmp/tmp.XXXXXXXXXX' },
  options: [
    ...flags('-d --directory', '-q --quiet'),
    { names: ['-u', '--dry-run'], operands: each('text') },
    { names: ['-t'], effect: { kind: 'writes', path: '/tmp', scope: 'tree' } },
    ...takes('text', '--suffix'),
    ...takes('write-tree', '-p'),
    {
      names: ['--tmpdir'],
      value: 'optional',
      role: 'write-tree',
      effect: { kind: 'writes', path: '/tmp', scope: 'tree' },
    },
  ],
});

const tee = gnu('tee', {
  dash: 'file',
  operands: each('write'),
  options: [...flags('-a --append', '-i --ignore-interrupts', '-p'), ...maybe('text', '--output-error')],
});
const sync = gnu('sync', { operands: each('read'), options: flags('-d --data', '-f --file-system') });

/** `if=` is read and `of=` written. The other words are numbers and names of conversions. */
const transfers: Refine = (parsed, { path }) => {
  const words = parsed.operands.map((word) => ({ word, parts: /^([a-z]+)=(.*)$/su.exec(plainText(word) ?? '') }));
  const valueOf = (name: string) =>
    words.flatMap(({ word, parts }) =>
      parts?.[1] === name && word.kind === 'static' ? [{ ...word, value: parts[2] ?? '' }] : [],
    );
  return {
    reads: valueOf('if').map((word) => path(word, 'read', 'file')),
    writes: valueOf('of').map((word) => path(word, 'write', 'file')),
    opaque: words
      .filter(({ parts }) => parts === null || !ddWords.has(parts[1] ?? ''))
      .map(({ word }) => ({
        kind: word.kind === 'static' ? 'unknown-option' : 'dynamic-word',
        message: 'a word that `dd` is not known to take',
        span: word.span,
      })),
  };
};
const ddWords = new Set([
  'if',
  'of',
  'bs',
  'ibs',
  'obs',
  'cbs',
  'count',
  'skip',
  'iseek',
  'seek',
  'oseek',
  'conv',
  'iflag',
  'oflag',
  'status',
]);

const dd = tool('dd', { grammar: 'words', operands: each('text'), refine: transfers });

/** Letters of their clusters take no value: a file called `-rf.md` is an error to them, not an option. */
const neverWithSuffix = [rm, rmdir, chmod].map((spec) => ({ ...spec, anyOption: 'never-with-suffix' }) as const);

export const changeTools: readonly ToolSpec[] = [
  ...neverWithSuffix,
  unlink,
  mkdir,
  mkfifo,
  mknod,
  touch,
  chown,
  chgrp,
  truncate,
  shred,
  mktemp,
  tee,
  sync,
  dd,
];
