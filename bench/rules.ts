import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sandbox } from '../src/sandbox/index.ts';
import { type Report, titles } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';
import { summarise } from './lib/stats.ts';
import { table } from './lib/table.ts';

const rounds = 7;
const files = 2000;

/** Prints nanoseconds of the median call: opens of one file, of many, and creations. Compiled: an interpreter would open files of its own. */
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
  snprintf(path, sizeof path, "%s/f0", directory);
  for (int i = 0; i < 20000; i++) { long start = now(); int fd = open(path, O_RDONLY); took[i] = now() - start; if (fd < 0) return 2; close(fd); }
  tell(20000);
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "f%d", i); long start = now(); int fd = open(path, O_RDONLY); took[i] = now() - start; if (fd < 0) return 3; close(fd); }
  tell(${files});
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "new%d", i); long start = now(); int fd = open(path, O_WRONLY | O_CREAT, 0644); took[i] = now() - start; if (fd < 0) return 4; close(fd); }
  tell(${files});
  for (int i = 0; i < ${files}; i++) { snprintf(path, sizeof path, "new%d", i); long start = now(); if (unlink(path)) return 5; took[i] = now() - start; }
  tell(${files});
  return 0;
}
`;

const works = ['open one file again and again', `open ${files} files by relative names`, 'create a file', 'delete a file'] as const;

const outside = 'outside';
const without = 'holdfast, no such rule';
const asking = 'holdfast, an ask rule that does not match';
const readingOnly = 'holdfast, an audit rule about reading only';

const rule = (operations: string): string => `version = 1\n[[file]]\nname = "ask"\ndecision = "ask"\npaths = ["asked"]\n${operations}`;
const policies: Readonly<Record<string, string>> = { [without]: 'version = 1\n', [asking]: rule(''), [readingOnly]: rule('operations = ["read"]\n').replace('"ask"\npaths', '"audit"\npaths') };

/** What rules that are asked about cost everything that they are not about. */
export async function rules(): Promise<Report> {
  const scratch = makeScratch();
  const binary = await prepare(scratch);
  const samples = new Map<string, number[][]>([outside, ...Object.keys(policies)].map((name) => [name, works.map(() => [])]));
  const sandboxes = await Promise.all(Object.entries(policies).map(async ([name, policy]) => [name, await open(scratch, policy)] as const));
  for (let round = 0; round < rounds; round += 1) {
    note(samples.get(outside), await runCommand([binary], { cwd: scratch.workspace, env: scratch.environment }));
    for (const [name, sandbox] of sandboxes) note(samples.get(name), (await sandbox.commands.run([binary])).stdout.toString());
  }
  for (const [, sandbox] of sandboxes) await sandbox.close();
  return report(new Map([...samples].map(([name, byWork]) => [name, byWork.map((times) => summarise(times).median / 1000)])));
}

async function prepare({ workspace }: Scratch): Promise<string> {
  mkdirSync(join(workspace, 'asked'));
  for (let index = 0; index < files; index += 1) writeFileSync(join(workspace, `f${index}`), 'text');
  const source = join(workspace, 'opens.c');
  writeFileSync(source, program);
  await runCommand(['cc', '-O1', '-o', join(workspace, 'opens'), source]);
  return join(workspace, 'opens');
}

/** Each policy has a configuration of its own. */
async function open({ workspace, beside, environment }: Scratch, policy: string): Promise<Sandbox> {
  const configuration = join(beside, `configuration-${policy.length}`);
  mkdirSync(join(configuration, 'holdfast'), { recursive: true });
  writeFileSync(join(configuration, 'holdfast/policy.toml'), policy);
  return Sandbox.create({ workspace, environment: { ...environment, XDG_CONFIG_HOME: configuration } });
}

function note(byWork: number[][] | undefined, printed: string): void {
  const times = printed.trim().split(' ').map(Number);
  if (times.length !== works.length) throw new Error(`the program printed ${JSON.stringify(printed)}`);
  times.forEach((time, index) => byWork?.[index]?.push(time));
}

function report(medians: ReadonlyMap<string, readonly number[]>): Report {
  const rows = [...medians].map(([name, times]) => [name, ...times.map((time) => time.toFixed(2))]);
  const more = (name: string, than: string): number => (medians.get(name)?.[0] ?? Number.NaN) - (medians.get(than)?.[0] ?? Number.NaN);
  return {
    title: 'rules: microseconds of one call under rules that are about something else',
    parts: [table(titles('', works), rows)],
    budgets: [
      { claim: 'an open more, with an ask rule active and not matching', measured: more(asking, without), limit: 10, unit: 'µs', direction: 'at-most' },
      { claim: 'an open more, with none active', measured: more(without, outside), limit: 0.5, unit: 'µs', direction: 'at-most' },
    ],
  };
}
