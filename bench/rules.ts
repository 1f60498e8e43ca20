import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sandbox } from '../src/sandbox/index.ts';
import { absent, runner } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { holdfast } from './lib/peers.ts';
import { type Report, timeTable, titles } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';
import { summarise } from './lib/stats.ts';
import { table } from './lib/table.ts';

const rounds = 7;
const starts = 15;
const files = 2000;
const directories = 8;

/**
 * Prints nanoseconds of the median call. Opens of many files come first, with a new supervisor. Compiled, because an
 * interpreter would open its own files.
 */
const program = `
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
static int compare(const void *a, const void *b) { long x = *(long *)a, y = *(long *)b; return (x > y) - (x < y); }
static long took[20000];
static void tell(int count) { qsort(took, count, sizeof *took, compare); printf("%ld ", took[count / 2]); }
int main(int argc, char **argv) {
  char path[4200], directory[4096];
  if (!getcwd(directory, sizeof directory)) return 1;
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "%s/d%d/f%d", directory, i % ${directories}, i); long start = now(); int fd = open(path, O_RDONLY); took[i] = now() - start; if (fd < 0) return 2; close(fd); }
  tell(${files});
  usleep(300000);
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "d%d/f%d", i % ${directories}, i); long start = now(); int fd = open(path, O_RDONLY); took[i] = now() - start; if (fd < 0) return 3; close(fd); }
  tell(${files});
  usleep(300000);
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "%s/link/d%d/f%d", directory, i % ${directories}, i); long start = now(); int fd = open(path, O_RDONLY); took[i] = now() - start; if (fd < 0) return 3; close(fd); }
  tell(${files});
  snprintf(path, sizeof path, "%s/d0/f0", directory);
  for (int i = 0; i < 20000; i++) { long start = now(); int fd = open(path, O_RDONLY); took[i] = now() - start; if (fd < 0) return 4; close(fd); }
  tell(20000);
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "new%d", i); long start = now(); int fd = open(path, O_WRONLY | O_CREAT, 0644); took[i] = now() - start; if (fd < 0) return 5; close(fd); }
  tell(${files});
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "new%d", i); long start = now(); if (unlink(path)) return 6; took[i] = now() - start; }
  tell(${files});
  return 0;
}
`;

const works = [
  `${files} files, absolute`,
  `${files} files, relative`,
  `${files} files, by a symlink`,
  'one file again',
  'create',
  'delete',
] as const;

const outside = 'outside';
const without = 'holdfast, no such rule';
const asking = 'holdfast, an ask rule that does not match';
const readingOnly = 'holdfast, an audit rule about reading only';

const rule = (operations: string): string =>
  `version = 1\n[[file]]\nname = "ask"\ndecision = "ask"\npaths = ["asked"]\n${operations}`;
const policies: Readonly<Record<string, string>> = {
  [without]: 'version = 1\n',
  [asking]: rule(''),
  [readingOnly]: rule('operations = ["read"]\n').replace('"ask"\npaths', '"audit"\npaths'),
};

/** The cost of asking rules for all other files. */
export async function rules(): Promise<Report> {
  const scratch = makeScratch();
  const binary = await prepare(scratch);
  const samples = new Map<string, number[][]>(
    [outside, ...Object.keys(policies)].map((name) => [name, works.map(() => [])]),
  );
  const sandboxes = await Promise.all(
    Object.entries(policies).map(async ([name, policy]) => [name, await open(scratch, policy)] as const),
  );
  for (let round = 0; round < rounds; round += 1) {
    note(samples.get(outside), await runCommand([binary], { cwd: scratch.workspace, env: scratch.environment }));
    for (const [name, sandbox] of sandboxes)
      note(samples.get(name), (await sandbox.commands.run([binary])).stdout.toString());
  }
  for (const [, sandbox] of sandboxes) await sandbox.close();
  return report(
    new Map([...samples].map(([name, byWork]) => [name, byWork.map((times) => summarise(times).median / 1000)])),
    await startTimes(scratch),
  );
}

/** Of `holdfast run -- true`. The supervisor loads the policy while the launcher builds the box. */
function startTimes(scratch: Scratch): Promise<readonly Result[]> {
  const peer = holdfast();
  const contestants = [without, asking].map((name) => {
    if (peer.kind === 'absent') return absent(name, peer.reason);
    const env = { ...scratch.environment, XDG_CONFIG_HOME: configure(scratch, policies[name] ?? '') };
    return runner(name, () => runCommand([...peer.prefix, 'true'], { cwd: scratch.workspace, env }));
  });
  return measure(contestants, { rounds: starts, warmups: 2 });
}

async function prepare({ workspace }: Scratch): Promise<string> {
  mkdirSync(join(workspace, 'asked'));
  symlinkSync('.', join(workspace, 'link'));
  for (let index = 0; index < directories; index += 1) mkdirSync(join(workspace, `d${index}`));
  for (let index = 0; index < files; index += 1)
    writeFileSync(join(workspace, `d${index % directories}`, `f${index}`), 'text');
  const source = join(workspace, 'opens.c');
  writeFileSync(source, program);
  await runCommand(['cc', '-O1', '-o', join(workspace, 'opens'), source]);
  return join(workspace, 'opens');
}

async function open(scratch: Scratch, policy: string): Promise<Sandbox> {
  return Sandbox.create({
    workspace: scratch.workspace,
    environment: { ...scratch.environment, XDG_CONFIG_HOME: configure(scratch, policy) },
  });
}

/** Each policy has a separate configuration. */
function configure({ beside }: Scratch, policy: string): string {
  const configuration = join(beside, `configuration-${policy.length}`);
  mkdirSync(join(configuration, 'holdfast'), { recursive: true });
  writeFileSync(join(configuration, 'holdfast/policy.toml'), policy);
  return configuration;
}

function note(byWork: number[][] | undefined, printed: string): void {
  const times = printed.trim().split(' ').map(Number);
  if (times.length !== works.length) throw new Error(`the program printed ${JSON.stringify(printed)}`);
  times.forEach((time, index) => byWork?.[index]?.push(time));
}

function report(medians: ReadonlyMap<string, readonly number[]>, started: readonly Result[]): Report {
  const rows = [...medians].map(([name, times]) => [name, ...times.map((time) => time.toFixed(2))]);
  const more = (work: (typeof works)[number], name: string, than: string): number =>
    (medians.get(name)?.[works.indexOf(work)] ?? Number.NaN) - (medians.get(than)?.[works.indexOf(work)] ?? Number.NaN);
  return {
    title:
      'rules: microseconds of one call under rules that are about something else; then the start of `holdfast run -- true`',
    parts: [table(titles('', works), rows), timeTable(started, without)],
    budgets: [
      {
        claim: 'an open of another file each time more, with an ask rule active and not matching: absolute',
        measured: more(works[0], asking, without),
        limit: 10,
        unit: 'µs',
        direction: 'at-most',
      },
      { claim: '… relative', measured: more(works[1], asking, without), limit: 10, unit: 'µs', direction: 'at-most' },
      {
        claim: '… with no such rule',
        measured: more(works[0], without, outside),
        limit: 0.5,
        unit: 'µs',
        direction: 'at-most',
      },
    ],
  };
}
