/** Has a shell run programs, and abandons those that do not end. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

export interface Observed {
  readonly ran: readonly (readonly string[])[];
  /** Programs that the shell looked up and did not find: their names are known, their words are not. */
  readonly wanted: readonly string[];
  readonly rejected: boolean;
}

/** A shell that gets programs, and reports its current one by a line `NUMBER:` in its errors. */
export interface Started {
  readonly argv: readonly [string, ...string[]];
  readonly input: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  /** Number of the program that did not end, from 1. */
  readonly stuck: number | undefined;
}

/** The directory that `~` stands for. */
export const home = '/holdfast-home';

/** Milliseconds. A slower program is abandoned. */
const patience = 4000;
/** A program with more commands is in a loop. */
const mostCommands = 200;

/**
 * Runs many programs in one shell, in a directory with an empty file `null`. A program that does not end is abandoned,
 * and counts as rejected.
 */
export async function runPrograms(
  programs: readonly string[],
  start: (programs: readonly string[], directory: string) => Started,
): Promise<readonly Observed[]> {
  const observed: Observed[] = [];
  while (observed.length < programs.length) {
    const rest = programs.slice(observed.length);
    const { stdout, stderr, stuck } = await inDirectory((directory) =>
      run(start(rest, directory), join(directory, 'here')),
    );
    const seen = collect(stdout, stderr, rest.length);
    observed.push(
      ...(stuck === undefined
        ? seen
        : seen.slice(0, stuck).map((one, index) => (index + 1 === stuck ? { ...one, rejected: true } : one))),
    );
  }
  return observed;
}

async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-differential-'));
  try {
    mkdirSync(join(directory, 'here'));
    writeFileSync(join(directory, 'here/null'), '');
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function run({ argv: [file, ...words], input, env }: Started, cwd: string): Promise<Output> {
  // A separate group: all processes of the programs end with the shell.
  const child = spawn(file, words, {
    cwd,
    env: { PATH: '/nonexistent', HOME: home, LC_ALL: 'C.UTF-8', ...env },
    detached: true,
  });
  const stdout: Buffer[] = [];
  let stderr = '';
  let [reached, killed] = [1, false];
  const giveUp = (): void => {
    killed = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(giveUp, patience);
  const counts = new Map<number, number>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    for (const [, index] of chunk.toString('latin1').matchAll(/@@(\d+)@/gu)) {
      const at = Number(index);
      const commands = (counts.get(at) ?? 0) + 1;
      counts.set(at, commands);
      if (commands !== mostCommands) continue;
      reached = at;
      giveUp();
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    const marker = [...chunk.matchAll(/^(\d+):$/gmu)].at(-1);
    if (marker === undefined || killed) return;
    reached = Number(marker[1]);
    timer.refresh();
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ stdout: Buffer.concat(stdout).toString('utf8'), stderr, stuck: killed ? reached : undefined });
    });
  });
}

/** The record of one command. A process that is killed while it writes leaves half a record. */
const record = /@@(\d+)@([^\0]*?)@@\0/gu;

function collect(stdout: string, stderr: string, count: number): readonly Observed[] {
  const ran: string[][][] = Array.from({ length: count }, () => []);
  for (const [, index, words = ''] of stdout.matchAll(record))
    ran[Number(index) - 1]?.push(words.replaceAll('\u{2}', '\n').split('\u{1}'));
  const rejected = new Set<number>();
  const wanted: string[][] = Array.from({ length: count }, () => []);
  let index = 0;
  for (const line of stderr.split('\n')) {
    const marker = /^(\d+):$/u.exec(line);
    // Two processes may write at once: the name follows the last beginning of a message.
    const name = /^.*: (?:line )?\d+: (?:eval: )?(?:line \d+: )?(?:exec: )?(.+): not found$/u.exec(line)?.[1];
    if (marker !== null) index = Number(marker[1]);
    else if (name !== undefined) wanted[index - 1]?.push(name);
    else if (/syntax error|unexpected EOF|here-document at line|bad substitution|bad fd number/iu.test(line))
      rejected.add(index);
  }
  return ran.map((list, place) => ({ ran: list, wanted: wanted[place] ?? [], rejected: rejected.has(place + 1) }));
}
