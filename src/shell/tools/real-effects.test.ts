import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Effects, PathEffect } from '../types.ts';
import { effectsOf } from './effects-of.ts';
import { findWords } from './findutils/index.ts';
import { changes, makeScratch, markers, snapshot } from './testing/scratch.ts';
import { toolFor } from './tool-for.ts';
import type { OptionSpec, ToolSpec } from './types.ts';
import { staticWord } from './words.ts';

/*
 * The specifications against the real programs: whatever a program changes in a directory must be among the writes that
 * its specification tells, and whatever contents it prints among the reads, unless the command is asked about. Words
 * are relative and name only what is in that directory.
 */
const file = fc.constantFrom(
  'a',
  'b',
  'sub',
  'sub/c',
  'sub/deep',
  'new',
  'sub/new',
  'empty',
  './a',
  'sub/../b',
  '-',
  '.',
);
const text = fc.constantFrom('1', 'x', 'a', '2', '0', '1,2', 'sub');

/** Each command takes some 20 ms. More of them: HOLDFAST_TOOL_RUNS=100. */
const runs = Number(process.env['HOLDFAST_TOOL_RUNS'] ?? 4);

/** What would wait for ever, or touch more than the directory. */
const left = new Set([
  '-f',
  '-F',
  '--follow',
  '--retry',
  '--pid',
  '--help',
  '--version',
  '-s --signal',
  '--max-unchanged-stats',
]);
const tools = [
  'cp',
  'mv',
  'ln',
  'install',
  'link',
  'rm',
  'rmdir',
  'unlink',
  'mkdir',
  'mkfifo',
  'touch',
  'chmod',
  'truncate',
  'shred',
  'mktemp',
  'tee',
  'ls',
  'dir',
  'stat',
  'cat',
  'tac',
  'head',
  'tail',
  'wc',
  'du',
  'nl',
  'od',
  'base64',
  'md5sum',
  'cksum',
  'sum',
  'realpath',
  'readlink',
  'sort',
  'uniq',
  'cut',
  'tr',
  'comm',
  'join',
  'paste',
  'tsort',
  'expand',
  'unexpand',
  'fmt',
  'fold',
  'pr',
  'shuf',
  'split',
  'csplit',
  'basename',
  'dirname',
  'grep',
  'rg',
  'sed',
  'awk',
  'diff',
  'cmp',
  'xxd',
  'hexdump',
  'strings',
  'file',
  'column',
  'rev',
  'jq',
  'patch',
  'wdiff',
  'dos2unix',
  'sponge',
  'fallocate',
  'diffstat',
  'lzcat',
  'strip',
  'datamash',
  'lsdiff',
  'pngcheck',
];
const present = tools.filter(
  (name) => spawnSync(name, ['--version'], { input: '', timeout: 5000 }).error === undefined,
);

/** Where programs may be traced, what they open and start is compared as well. */
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

const scripts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  sed: fc.constantFrom(
    'p',
    'd',
    's/marker/y/',
    'w new',
    'r a',
    's/x/y/w new',
    'R b',
    '$!N;P;D',
    'a foo',
    '1q',
    'W sub/new',
    'y/abc/xyz/',
  ),
  awk: fc.constantFrom('{print}', '{print $1}', 'NR>1', '/x/', '{s+=$1} END {print s}'),
  jq: fc.constantFrom(
    '.',
    '-R',
    '-n',
    '--rawfile',
    'x',
    '--slurpfile',
    '--arg',
    '--raw-input',
    '-s',
    '$x',
    '[inputs]',
    '-f',
    '--args',
  ),
};

describe.each(present)('%s', (name) => {
  const spec = toolFor(name);
  if (spec === undefined) throw new Error(`nothing is known of ${name}`);

  test(
    'changes and prints nothing that its specification does not tell',
    () => {
      fc.assert(
        fc.property(linesOf(name, spec), (argv) => check(name, argv)),
        { numRuns: runs },
      );
    },
    60_000 + runs * 1000,
  );
});

const findWord = fc.oneof(
  fc.constantFrom(...[...findWords.keys()].filter((word) => !/^-(?:exec|ok|files0)/u.test(word))),
  fc.constantFrom(
    'a',
    'b',
    'sub',
    'new',
    '.',
    '1',
    'x',
    '(',
    ')',
    '!',
    '-newermm',
    '-newermt',
    '%p',
    'f',
    '-delete',
    '-fprint',
    '-fls',
  ),
);
test(
  'find changes nothing that its specification does not tell',
  () => {
    fc.assert(
      fc.property(fc.array(file, { maxLength: 2 }), fc.array(findWord, { maxLength: 5 }), (starts, words) =>
        check('find', [...starts, ...words]),
      ),
      { numRuns: 4 * runs },
    );
  },
  60_000 + runs * 1000,
);

const ddWord = fc.constantFrom(
  'if=a',
  'if=sub/c',
  'of=new',
  'of=b',
  'of=sub/new',
  'bs=1',
  'count=3',
  'skip=1',
  'seek=2',
  'conv=notrunc',
  'conv=excl',
  'status=none',
  'iflag=fullblock',
);
test(
  'dd changes and prints nothing that its specification does not tell',
  () => {
    fc.assert(
      fc.property(fc.array(ddWord, { maxLength: 4 }), (words) => check('dd', words)),
      { numRuns: runs },
    );
  },
  60_000 + runs * 1000,
);

test('the check sees a write and a read that are not told', () => {
  expect(() =>
    check('tee', ['new'], { ...(toolFor('tee') as ToolSpec), operands: { kind: 'each', role: 'text' } }),
  ).toThrow('new');
  expect(() =>
    check('cat', ['a'], { ...(toolFor('cat') as ToolSpec), operands: { kind: 'each', role: 'text' } }),
  ).toThrow('markerofa');
});

test.runIf(canTrace)('the check sees an open and a start that are not told', () => {
  expect(() =>
    check('wc', ['a'], { ...(toolFor('wc') as ToolSpec), operands: { kind: 'each', role: 'text' } }),
  ).toThrow('opened');
  expect(() =>
    check('split', ['--filter=true', 'a'], {
      ...(toolFor('split') as ToolSpec),
      options: [{ names: ['--filter'], value: 'required' }],
    }),
  ).toThrow('started');
});

function linesOf(name: string, spec: ToolSpec): fc.Arbitrary<readonly string[]> {
  const options = spec.options.filter(({ names }) => !names.some((each) => left.has(each)));
  const operand =
    scripts[name] === undefined
      ? fc.oneof({ weight: 4, arbitrary: file }, { weight: 1, arbitrary: text })
      : fc.oneof(file, scripts[name]);
  const first = scripts[name] === undefined ? fc.array(operand, { maxLength: 1 }) : scripts[name].map((each) => [each]);
  const chosen =
    options.length === 0
      ? fc.constant([])
      : fc.array(fc.constantFrom(...options).chain(optionWords), { maxLength: 3 }).map((each) => each.flat());
  return fc
    .tuple(chosen, first, fc.array(operand, { maxLength: 3 }), fc.boolean())
    .map(([before, start, operands, isLast]) =>
      isLast ? [...start, ...operands, ...before] : [...before, ...start, ...operands],
    );
}

function optionWords(option: OptionSpec): fc.Arbitrary<readonly string[]> {
  const value = option.role === undefined || option.role === 'text' ? text : file;
  return fc.tuple(fc.constantFrom(...option.names), value, fc.boolean()).map(([name, given, isAttached]) => {
    if (name === '-#') return ['-2'];
    if (option.value === undefined || option.value === 'none') return [name];
    if (option.value === 'optional')
      return isAttached ? [name.startsWith('--') ? `${name}=${given}` : `${name}${given}`] : [name];
    return isAttached && name.startsWith('--') ? [`${name}=${given}`] : [name, given];
  });
}

function check(name: string, argv: readonly string[], spec = toolFor(name) as ToolSpec): void {
  using scratch = makeScratch();
  const { directory } = scratch;
  const { effects, scripts: texts } = effectsOf(
    spec,
    argv.map((word) => staticWord(word)),
    { cwd: directory, home: directory },
  );
  // Code of the repository does not ask by itself, so its files have to be told.
  if (texts.length > 0 || effects.opaque.some(({ kind }) => kind !== 'repository-code')) return;
  const before = snapshot(directory);
  const trace = `${directory}.trace`;
  const [program = name, ...words] = canTrace
    ? ['strace', '-f', '-y', '-qq', '-e', 'trace=open,openat,execve', '-o', trace, name, ...argv]
    : [name, ...argv];
  const { stdout } = spawnSync(program, words, {
    cwd: directory,
    input: '',
    encoding: 'latin1',
    timeout: 2000,
    maxBuffer: 1_000_000,
    env: { PATH: process.env['PATH'], HOME: directory, TMPDIR: '/tmp', LC_ALL: 'C' },
  });
  const after = snapshot(directory);
  for (const path of changes(before, after))
    if (!covers(effects.writes, path)) throw new Error(`${name} ${argv.join(' ')}: changed ${path}, which is not told`);
  for (const [path, marker] of markers)
    if ((stdout ?? '').includes(marker) && !covers(effects.reads, `${directory}/${path}`))
      throw new Error(`${name} ${argv.join(' ')}: printed ${marker}, which is not told`);
  if (canTrace)
    checkTrace(trace, {
      effects,
      known: new Set([...before.keys(), ...after.keys()]),
      line: `${name} ${argv.join(' ')}`,
    });
}

/**
 * What it opened it has read or written; programs that it started are told. Directories on the way to a write may be
 * opened, and files that come and go.
 */
function checkTrace(
  trace: string,
  { effects, known, line }: { readonly effects: Effects; readonly known: ReadonlySet<string>; readonly line: string },
): void {
  const text = readFileSync(trace, 'latin1');
  rmSync(trace);
  for (const [, path = ''] of text.matchAll(/open(?:at)?\(.* = \d+<([^>]*)>$/gmu)) {
    const isOn = effects.writes.some((effect) => effect.path?.startsWith(`${path}/`) === true);
    if (known.has(path) && !isOn && !covers([...effects.reads, ...effects.writes], path))
      throw new Error(`${line}: opened ${path}, which is not told`);
  }
  const started = [...text.matchAll(/execve\("([^"]*)".* = 0$/gmu)].slice(1);
  if (started.length > 0 && effects.runs.length === 0)
    throw new Error(`${line}: started ${started[0]?.[1]}, which is not told`);
}

/** A directory that is written may also get its parents (`mkdir -p`). */
function covers(effects: readonly PathEffect[], path: string): boolean {
  return effects.some(
    (effect) =>
      effect.path === path ||
      effect.path === undefined ||
      (effect.scope === 'tree' && `${path}/`.startsWith(`${effect.path}/`)),
  );
}
