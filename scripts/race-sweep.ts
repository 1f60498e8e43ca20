/**
 * Replaces a parent directory with a symlink to the outside while other processes change files through it.
 * `sandbox.files` makes the changes, then a command in a box, and, as the control, a program that checks paths with
 * realpath. The first two try every call, a million tries each in total. Exits 1 if one escapes, or if the control does
 * not. usage: node scripts/race-sweep.ts [TRIES] [files,command]
 */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { filesArena, type FilesArena } from '../attacks/drivers/files/arena.ts';
import { raceRows } from '../attacks/drivers/files/race.ts';
import { Sandbox } from '../src/sandbox/index.ts';

const tries = Number(process.argv[2] ?? 1_000_000);
const parts = (process.argv[3] ?? 'files,command').split(',');
const rows = 19;
const perRow = Math.ceil(tries / rows);
const ways = { files: byFiles, command: byCommand };

let problems = control();
for (const [name, way] of Object.entries(ways)) if (parts.includes(name)) problems += await attempt(name, way);
process.exitCode = problems === 0 ? 0 : 1;

function control(): number {
  using arena = filesArena('race-files-parent', '/var/tmp');
  const { stdout } = spawnSync('python3', [`${arena.tools}/naive-files.py`, 'race', arena.rows, '2500'], {
    env: arena.environment,
    encoding: 'utf8',
  });
  const escaped = arena.succeeded();
  console.log(`control, realpath and then the call: ${escaped.length} of ${rows} operations escaped\n${stdout}`);
  return rows - escaped.length;
}

type Way = (arena: FilesArena, sandbox: Sandbox) => Promise<number>;

async function attempt(name: string, way: Way): Promise<number> {
  using arena = filesArena('race-files-parent', '/var/tmp');
  const begun = performance.now();
  await using sandbox = await Sandbox.create({
    workspace: arena.workspace,
    environment: arena.environment,
    grants: { read: [`${arena.root}/outside`] },
  });
  const total = await way(arena, sandbox);
  const escaped = arena.succeeded();
  console.log(
    `${name}: ${total} tries in ${Math.round((performance.now() - begun) / 1000)} s, ${escaped.length} escapes ${escaped.join(' ')}\n`,
  );
  return escaped.length + (total < tries ? 1 : 0);
}

async function byFiles(arena: FilesArena, { files }: Sandbox): Promise<number> {
  let total = 0;
  await raceRows(arena.rows, {
    files,
    arena: arena.root,
    canary: arena.canary,
    tools: arena.tools,
    tries: perRow,
    each: (row, tally) => {
      total += tally.tries;
      console.log(`${row}: ${JSON.stringify(tally)}`);
    },
  });
  return total;
}

/** Both the writer and the process that exchanges are in the box. */
async function byCommand({ environment, workspace, rows: table }: FilesArena, sandbox: Sandbox): Promise<number> {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const { stdout, stderr } = await sandbox.commands.run([
    'env',
    ...variables,
    'python3',
    `${workspace}/tools/naive-files.py`,
    'race',
    table,
    String(perRow),
    'unchecked',
  ]);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  return [...stdout.toString().matchAll(/"tries": (\d+)/gu)].reduce((sum, [, count]) => sum + Number(count), 0);
}
