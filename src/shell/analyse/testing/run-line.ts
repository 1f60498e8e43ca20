/** The real effects of a line. Bash runs it in a separate directory. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changes, makeScratch, snapshot } from '../../tools/testing/scratch.ts';

/** Whether tracing is possible. Then it also reports started programs. */
export const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

export interface Place {
  /** Directory of the line. */
  readonly cwd: string;
  readonly home: string;
}

export interface Happened {
  /** Absolute paths of new, removed or changed entries. */
  readonly changed: readonly string[];
  /** Absolute paths of opened files, not directories, that existed before or exist afterwards. */
  readonly opened: readonly string[];
  /** Arguments of each started program. */
  readonly started: readonly (readonly string[])[];
}

export interface Watch {
  /** Decides whether the line runs at all. */
  readonly isWanted: (place: Place) => boolean;
  readonly compare: (place: Place, happened: Happened) => void;
}

/** Runs the line, and compares it while its directory exists. */
export function runLine(line: string, { isWanted, compare }: Watch): void {
  using scratch = makeScratch();
  const cwd = join(scratch.directory, ...Array<string>(20).fill('up'), 'here');
  const home = join(scratch.directory, 'home');
  furnish(cwd);
  furnish(home);
  if (!isWanted({ cwd, home })) return;
  const before = snapshot(scratch.directory);
  const trace = `${scratch.directory}.trace`;
  const limited = ['timeout', '-s', 'KILL', '2', 'bash', '-c', 'ulimit -f 64; exec bash -c "$0"', line];
  const [program = '', ...words] = canTrace
    ? ['strace', '-f', '-qq', '-s', '4096', '-y', '-e', 'trace=execve,open,openat', '-o', trace, ...limited]
    : limited;
  spawnSync(program, words, {
    cwd,
    input: 'new\nb\n',
    timeout: 5000,
    env: { PATH: '/usr/bin:/bin', HOME: home, LC_ALL: 'C', TMPDIR: cwd },
  });
  const after = snapshot(scratch.directory);
  const text = canTrace ? readFileSync(trace, 'latin1') : '';
  rmSync(trace, { force: true });
  const isFile = (path: string): boolean =>
    [before, after].some((found) => found.has(path)) && ![before, after].some((found) => isDirectory(path, found));
  compare(
    { cwd, home },
    { changed: changes(before, after), opened: openedIn(text).filter(isFile), started: startedIn(text) },
  );
}

function isDirectory(path: string, found: ReadonlyMap<string, string>): boolean {
  return (Number(found.get(path)?.split(' ', 1)[0] ?? 0) & 0o170000) === 0o040000;
}

function furnish(directory: string): void {
  mkdirSync(join(directory, 'sub/deep'), { recursive: true });
  mkdirSync(join(directory, 'empty'));
  for (const name of ['a', 'b', 'kept', 'sub/c', 'sub/deep/d'])
    writeFileSync(join(directory, name), `b\n1 x marker of ${name}\n`);
}

function openedIn(trace: string): readonly string[] {
  return [...trace.matchAll(/(?:open(?:at)?\(|<\.\.\. open(?:at)? resumed>).* = \d+<([^>]*)>$/gmu)].map(
    ([, path = '']) => path,
  );
}

/** Without `timeout` and the two shells that run the line. */
function startedIn(trace: string): readonly (readonly string[])[] {
  const lines = trace.split('\n');
  const started = lines.flatMap((line, place) => {
    const [, pid, words] = /^(\d+) +execve\("(?:[^"\\]|\\.)*", \[(.*)\], 0x/u.exec(line) ?? [];
    if (words === undefined) return [];
    const end = line.endsWith('<unfinished ...>')
      ? (lines.slice(place + 1).find((later) => new RegExp(`^${pid} .*execve resumed`, 'u').test(later)) ?? '')
      : line;
    return end.endsWith(' = 0')
      ? [[...words.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, word = '']) => unescaped(word))]
      : [];
  });
  return started.slice(3);
}

function unescaped(word: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };
  return word.replace(/\\(?:([0-7]{1,3})|(.))/gsu, (_, octal: string | undefined, letter = '') =>
    octal === undefined ? (named[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
