import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { difference, medianOf, ratio } from './lib/compare.ts';
import { type Contestant, runner } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { codexNative, holdfast, type Peer, sandboxRuntime } from './lib/peers.ts';
import { type Report, timeTable, titles } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';
import { table } from './lib/table.ts';

const node = 'node -e 0';
const codex = 'codex sandbox -- true (binary)';
const srt = 'srt -- true';
const git = 'git status';
const gitInside = 'holdfast run -- git status';
const plain = 'holdfast run -- true';
const found = 'find in 5,000 directories';
const among = 'holdfast run -- true, in 5,000 directories';
const directories = 5000;

const token = 'example_live_7Hq2mVx9Lk4TzB6w';
const host = 'network.hosts = ["api.example.com:443"]';
const credential = (name: string, more: string): string =>
  `[[credentials]]\nname = "${name}"\nsource = { env = "EXAMPLE_TOKEN" }\n${more}\n`;
const bearer = 'hosts = ["api.example.com"]\ninject = { kind = "bearer" }\nenvironment = ["EXAMPLE_TOKEN"]';
const rules = '[[file]]\nname = "watch"\ndecision = "audit"\npaths = ["**/*.sql"]\n';

/** The cost of a policy for a run that does not use it. */
const policies: Readonly<Record<string, string>> = {
  'open hosts': host,
  'a credential': `${host}\n${credential('example', bearer)}`,
  'the gateway': `network.hosts = ["api.anthropic.com:443"]\n${credential('anthropic', 'provider = "anthropic"')}`,
  'rules with a supervisor': rules,
  'all of them': `${host}\n${credential('example', bearer)}${rules}`,
};

const most = { idle: 90, grown: 10, more: 3, git: 12, walks: 1 };
const manyRuns = 1000;
const atOnce = 100;

/** Runs through the resident supervisor, which the first of them starts. Also its memory, and a crowd. */
export async function resident(): Promise<Report> {
  const scratch = makeScratch();
  await runCommand(['git', 'init', '-q', scratch.workspace]);
  await warm(scratch);
  const idle = await residentMemory(scratch);
  await times(manyRuns, () => run(scratch));
  const after = await residentMemory(scratch);
  const crowd = await crowdOf(scratch);
  const results = await measure(contestants(scratch), { rounds: 31, warmups: 4 });
  await runCommand([program(), 'stop', '--resident'], { cwd: scratch.workspace, env: scratch.environment });
  return {
    title: 'resident: runs that a supervisor in the background serves',
    parts: [
      timeTable(results, node),
      memoryTable(idle, after),
      `${atOnce} runs at once: ${crowd.toFixed(0)} ms, all with the right output`,
    ],
    budgets: budgets(results, { idle, after }),
  };
}

function program(): string {
  const peer = holdfast();
  if (peer.kind === 'absent') throw new Error(peer.reason);
  return peer.prefix[0] as string;
}

function run(scratch: Scratch, words: readonly string[] = ['true'], config?: string): Promise<string> {
  const env = {
    ...scratch.environment,
    EXAMPLE_TOKEN: token,
    ...(config === undefined ? {} : { XDG_CONFIG_HOME: config }),
  };
  return runCommand([program(), 'run', '--', ...words], { cwd: scratch.workspace, env });
}

async function warm(scratch: Scratch): Promise<void> {
  await run(scratch);
  for (let tries = 0; (await listed(scratch)) === undefined; tries += 1) {
    if (tries > 200) throw new Error('the first run has started no supervisor');
    await setTimeout(50);
  }
  await times(20, () => run(scratch));
}

async function listed(scratch: Scratch): Promise<{ readonly process: number } | undefined> {
  try {
    const text = await runCommand([program(), 'ps', '--json'], { cwd: scratch.workspace, env: scratch.environment });
    return (JSON.parse(text) as { readonly resident?: { readonly process: number } }).resident;
  } catch {
    return undefined;
  }
}

/** Resident megabytes, once it is idle. */
async function residentMemory(scratch: Scratch): Promise<number> {
  await setTimeout(6000);
  const { process: pid } = (await listed(scratch)) ?? { process: 0 };
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function times(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await act();
}

/** Milliseconds until the last of many has ended. */
async function crowdOf(scratch: Scratch): Promise<number> {
  const begin = performance.now();
  const said = await Promise.all(
    Array.from({ length: atOnce }, (_, index) => run(scratch, ['sh', '-c', `echo ${index}`])),
  );
  const wrong = said.findIndex((text, index) => text.trim() !== String(index));
  if (wrong !== -1) throw new Error(`run ${wrong} of ${atOnce} at once said ${JSON.stringify(said[wrong])}`);
  return performance.now() - begin;
}

function contestants(scratch: Scratch): readonly Contestant[] {
  const options = { cwd: scratch.workspace, env: scratch.environment };
  const many = manyDirectories(scratch);
  const peers: readonly (readonly [string, Peer])[] = [
    [codex, codexNative()],
    [srt, sandboxRuntime(scratch)],
  ];
  return [
    runner(node, () => runCommand([process.execPath, '-e', '0'], options)),
    runner(plain, () => run(scratch)),
    runner(git, () => runCommand(['git', 'status'], options)),
    runner(gitInside, () => run(scratch, ['git', 'status'])),
    runner(found, () => runCommand(['find', many, '-name', 'nothing'], options)),
    runner(among, () => runCommand([program(), 'run', '--', 'true'], { ...options, cwd: many })),
    ...Object.entries(policies).map(([name, text]) =>
      runner(named(name), () => run(scratch, ['true'], configuration(scratch, name, text))),
    ),
    ...peers.flatMap(([name, peer]) =>
      peer.kind === 'absent' ? [] : [runner(name, () => runCommand([...peer.prefix, 'true'], options))],
    ),
  ];
}

/** The launcher looks for protected names before and after the command, so it reads each directory twice. */
function manyDirectories({ beside }: Scratch): string {
  const root = join(beside, 'many');
  for (let index = 0; index < directories; index += 1)
    mkdirSync(join(root, String(index % 70), String(index)), { recursive: true });
  return root;
}

function named(policy: string): string {
  return `${plain}, with ${policy}`;
}

function configuration(scratch: Scratch, name: string, text: string): string {
  const directory = join(scratch.beside, name.replaceAll(' ', '-'));
  mkdirSync(join(directory, 'holdfast'), { recursive: true });
  writeFileSync(join(directory, 'holdfast/policy.toml'), `version = 1\n${text}\n`);
  return directory;
}

interface Memory {
  readonly idle: number;
  readonly after: number;
}

function memoryTable(idle: number, after: number): string {
  return table(titles('the supervisor rests', ['MB']), [
    ['after its first runs', idle.toFixed(1)],
    [`after ${manyRuns} more, one after another`, after.toFixed(1)],
  ]);
}

/** The cost of this many directories for a run, in walks of `find`. */
function walkRatio(results: readonly Result[]): number | undefined {
  const [more, walk] = [difference(results, among, plain), medianOf(results, found)];
  return more === undefined || walk === undefined ? undefined : more / walk;
}

function budgets(results: readonly Result[], { idle, after }: Memory): Report['budgets'] {
  return [
    { claim: `${plain} ÷ ${node}`, measured: ratio(results, plain, node), limit: 0.4, unit: '×', direction: 'at-most' },
    {
      claim: `${plain} ÷ ${codex}`,
      measured: ratio(results, plain, codex),
      limit: 0.3,
      unit: '×',
      direction: 'at-most',
    },
    { claim: `${srt} ÷ ${plain}`, measured: ratio(results, srt, plain), limit: 20, unit: '×', direction: 'at-least' },
    {
      claim: `${gitInside} − ${git}`,
      measured: difference(results, gitInside, git),
      limit: most.git,
      unit: 'ms',
      direction: 'at-most',
    },
    {
      claim: `(${among} − plain) ÷ ${found}`,
      measured: walkRatio(results),
      limit: most.walks,
      unit: '×',
      direction: 'at-most',
    },
    ...Object.keys(policies).map(
      (name) =>
        ({
          claim: `${name}: more than plain`,
          measured: difference(results, named(name), plain),
          limit: most.more,
          unit: 'ms',
          direction: 'at-most',
        }) as const,
    ),
    { claim: 'the supervisor, idle', measured: idle, limit: most.idle, unit: 'MB', direction: 'at-most' },
    {
      claim: `${manyRuns} runs more add to it`,
      measured: (after / idle - 1) * 100,
      limit: most.grown,
      unit: '%',
      direction: 'at-most',
    },
  ];
}
