import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { isHoldfastError, Sandbox } from '../../src/sandbox/index.ts';
import { Project } from '../../test/lib/holdfast.ts';
import { compileModules, type Modules } from './modules.ts';
import type { ExtismCall, ExtismOutcome } from './run-extism.ts';

/** One host of plug-ins and its results in every case, in the order of `caseNames`. */
export interface Column {
  readonly host: string;
  readonly outcomes: readonly string[];
}

export const caseNames = [
  'a cap of 64 pages, memory grown for ever',
  '300 ms, a loop without end',
  'meanwhile the program that called it',
  'a host that is listed',
  'a host that is not listed',
  'an empty list of hosts',
  'a redirect to a host that is not listed',
  'a file in a listed directory',
  'a file beside it, by `..`',
  'the same by a symlink in that directory',
  'variables of its process, of which there are some',
] as const;

interface World {
  readonly project: Project;
  readonly modules: Modules;
  /** A listed host, which redirects to the other one. */
  readonly listed: string;
  readonly other: string;
}

const versions = [
  { host: '`@extism/extism` 1.0.3', name: 'extism-1', place: 'here' },
  { host: '1.0.3, in a worker', name: 'extism-1', place: 'worker' },
  { host: '2.0.0-rc13', name: 'extism-2', place: 'here' },
  { host: '2.0.0-rc13, in a worker', name: 'extism-2', place: 'worker' },
] as const;

type Version = (typeof versions)[number];

/** The same modules, limits and attempts for every host. Only `ours` takes a tenth of the time. */
export async function besideExtism(which: 'all' | 'ours'): Promise<readonly Column[]> {
  using project = new Project();
  mkdirSync(join(project.workspace, 'data'));
  writeFileSync(join(project.workspace, 'data/own'), 'secret');
  writeFileSync(join(project.workspace, 'secret'), 'secret');
  symlinkSync('../secret', join(project.workspace, 'data/link'));
  await using other = await serve((_, response) => response.end('reached'));
  await using listed = await serve(({ url }, response) =>
    url === '/away'
      ? response.writeHead(302, { location: `http://localhost:${other.port}/` }).end()
      : response.end('reached'),
  );
  const world: World = {
    project,
    modules: await compileModules(),
    listed: `http://127.0.0.1:${listed.port}/`,
    other: `http://localhost:${other.port}/`,
  };
  const columns = (which === 'all' ? versions : []).map(async (version) => ({
    host: version.host,
    outcomes: await ofExtism(version, world),
  }));
  return [...(await Promise.all(columns)), { host: 'Holdfast', outcomes: await ofHoldfast(world) }];
}

async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close().closeAllConnections(),
  };
}

async function ofExtism(version: Version, { project, modules, listed, other }: World): Promise<readonly string[]> {
  const plain = (input: string, options: ExtismCall['options'] = {}): ExtismCall => ({
    module: modules.plain.toString('base64'),
    input,
    options,
  });
  const wasi = (input: string): ExtismCall => ({
    module: modules.wasi.toString('base64'),
    input,
    options: { useWasi: true, allowedPaths: { '/data': join(project.workspace, 'data') } },
  });
  const one = { allowedHosts: ['127.0.0.1'] };
  const calls = [
    plain('grow', { memory: { maxPages: 64 } }),
    plain('work'),
    plain(`fetch ${listed}`, one),
    plain(`fetch ${other}`, one),
    plain(`fetch ${listed}`, { allowedHosts: [] }),
    plain(`fetch ${listed}away`, one),
    wasi('read own'),
    wasi('read ../secret'),
    wasi('read link'),
    wasi('variables'),
  ];
  const [loop, others] = await Promise.all([
    inExtism(version, [plain('loop', { timeoutMs: 300 })], loopSeconds),
    inExtism(version, calls, mostSeconds),
  ]);
  if (others === undefined) throw new Error(`Extism (${version.host}) did not end`);
  const [grown, worked, ...rest] = others;
  return [
    pagesText(grown),
    loop === undefined ? 'ignored: it never ended' : endedText(loop[0]),
    (worked?.turns ?? 0) > 0 ? 'goes on' : 'stands still',
    ...rest.slice(0, 4).map(fetchText),
    ...rest.slice(4, 7).map(readText),
    variablesText(rest[7]),
  ];
}

/** Undefined if it used the processor time of many such limits. */
async function inExtism(
  { name, place }: Version,
  calls: readonly ExtismCall[],
  seconds: number,
): Promise<readonly ExtismOutcome[] | undefined> {
  const words = [
    '-c',
    `ulimit -t ${seconds}; exec "$@"`,
    'sh',
    process.execPath,
    '--no-warnings',
    join(import.meta.dirname, 'run-extism.ts'),
    name,
    place,
  ];
  const child = spawn('sh', words, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], CANARY: 'x' },
  });
  child.stdin.end(JSON.stringify(calls));
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return code === 0 ? (JSON.parse(printed) as readonly ExtismOutcome[]) : undefined;
}

/**
 * Seconds of processor time, so that other load on the machine changes nothing. A start takes half a second, and the
 * loop of 300 ms no more than that. Growth and work take two seconds.
 */
const loopSeconds = 4;
const mostSeconds = 20;

function pagesText(outcome: ExtismOutcome | undefined): string {
  const pages = outcome?.kind === 'output' ? Number(outcome.text) : undefined;
  return pages === undefined
    ? failedText(outcome)
    : pages <= 64
      ? 'stopped there'
      : `ignored: it grew to ${Math.round((pages * 65_536) / 2 ** 30)} GiB`;
}

function endedText(outcome: ExtismOutcome | undefined): string {
  return /worker/iu.test(outcome?.text ?? '') ? 'refused: wants a worker' : 'ended';
}

function fetchText(outcome: ExtismOutcome | undefined): string {
  return outcome?.kind === 'output' ? (outcome.text === 'reached' ? 'reached' : 'not reached') : 'refused';
}

function readText(outcome: ExtismOutcome | undefined): string {
  return outcome?.kind === 'output' ? (outcome.text === 'secret' ? 'read' : 'refused') : failedText(outcome);
}

function variablesText(outcome: ExtismOutcome | undefined): string {
  return outcome?.kind === 'output' ? (outcome.text === '0' ? 'none' : 'shown') : failedText(outcome);
}

function failedText(outcome: ExtismOutcome | undefined): string {
  return `failed: ${outcome?.text.split('\n')[0] ?? 'no answer'}`;
}

async function ofHoldfast({ project, modules, listed, other }: World): Promise<readonly string[]> {
  const hosts = [listed, other].map((url) => new URL(url).host);
  await using sandbox = await Sandbox.create({
    workspace: project.workspace,
    environment: { ...project.libraryEnvironment, CANARY: 'x' },
    grants: { hosts },
  });
  const call = async (module: Buffer, input: string, manifest = ''): Promise<ExtismOutcome> => {
    writeFileSync(join(project.workspace, 'tool.wasm'), module);
    const file = project.write('tool.toml', `name = "tool"\nmodule = "tool.wasm"\nkind = "wasm"\n${manifest}`);
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    try {
      return { kind: 'output', text: (await sandbox.tools.run(file, input)).output.toString(), turns };
    } catch (error) {
      if (!isHoldfastError(error) || !error.code.startsWith('HF_TOOL_')) throw error;
      return { kind: 'failed', text: error.message, turns };
    } finally {
      clearInterval(ticking);
    }
  };
  const only = `hosts = [${JSON.stringify(hosts[0])}]\n`;
  const data = '[paths]\nread = ["data"]\n';
  const [grown, looped, worked] = [
    await call(modules.plain, 'grow', 'memory = 64\n'),
    await call(modules.plain, 'loop', 'deadline = 300\n'),
    await call(modules.plain, 'work', 'deadline = 60000\n'),
  ];
  const fetched = [
    await call(modules.plain, `fetch ${listed}`, only),
    await call(modules.plain, `fetch ${other}`, only),
    await call(modules.plain, `fetch ${listed}`, 'hosts = []\n'),
    await call(modules.plain, `fetch ${listed}away`, only),
  ];
  const read = [
    await call(modules.reading, 'read data/own', data),
    await call(modules.reading, 'read data/../secret', data),
    await call(modules.reading, 'read data/link', data),
  ];
  const variables = await call(modules.wasi, 'variables');
  return [
    pagesText(grown),
    looped.kind === 'failed' ? 'ended, with its box' : 'ignored',
    worked.turns > 0 ? 'goes on' : 'stands still',
    ...fetched.map(fetchText),
    ...read.map((each) => (each.kind === 'failed' ? 'refused' : readText(each))),
    variables.kind === 'failed' && variables.text.includes('wasi_snapshot_preview1')
      ? 'no WASI: the module is refused'
      : variablesText(variables),
  ];
}
