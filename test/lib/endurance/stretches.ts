import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { allProcesses, commandLineOf, isRunning, processFile } from '../../../scripts/testing/processes.ts';
import { connectServer, type ServerConnection } from '../../../src/serve/client/connect-server.ts';
import { binary, Project } from '../holdfast.ts';
import { processesLeft, socketsIn, type Stretch, Tally } from './figures.ts';
import { inLanes, judged, traffic } from './traffic.ts';

/** A project whose runs use a supervisor, on a clock that a file sets: it contains the milliseconds to add. */
class LongProject extends Project {
  readonly clock = join(this.root, 'clock');

  constructor() {
    super();
    writeFileSync(this.clock, '0');
    writeFileSync(join(this.root, 'clock.cjs'), jumpingClock(this.clock));
    this.write('../home/.ssh/id_rsa', 'a key\n');
    this.write('.bashrc', '# first\n');
  }

  override get environment(): NodeJS.ProcessEnv {
    const { HOLDFAST_RESIDENT: _, ...environment } = super.environment;
    const preload = join(this.root, 'clock.cjs');
    return { ...environment, ...(existsSync(preload) ? { NODE_OPTIONS: `--require=${preload}` } : {}) };
  }

  get residents(): readonly number[] {
    return allProcesses().filter(
      (pid) =>
        isRunning(pid) &&
        commandLineOf(pid).includes('\0serve\0--resident') &&
        processFile(pid, 'environ').split('\0').includes(`HOME=${this.home}`),
    );
  }

  /** Ends its supervisors as a shutdown does, and reports the remains. */
  async remains(): Promise<readonly string[]> {
    for (const pid of this.residents) signalled(pid, 'SIGTERM');
    const verified = this.holdfast(['audit', 'verify'], { environment: { HOLDFAST_RESIDENT: 'never' } });
    const planted = this.outside('grep', ['-l', 'planted', '.bashrc']).stdout;
    return [
      ...(await processesLeft(this.home)),
      ...(verified.status === 0 ? [] : [`the journal: ${verified.stdout}${verified.stderr}`]),
      ...(planted === '' ? [] : ['.bashrc was written']),
      ...socketsIn(join(this.state, 'run')).map((name) => `the socket ${name} is left`),
    ];
  }
}

const jumpingClock = (file: string) => `
const fs = require('fs');
const RealDate = Date;
let offset = 0, looked = -1000;
function now() {
  if (performance.now() - looked > 20) {
    looked = performance.now();
    offset = Number(fs.readFileSync(${JSON.stringify(file)}, 'utf8')) || 0;
  }
  return RealDate.now() + offset;
}
globalThis.Date = class Date extends RealDate {
  constructor(...words) { super(...(words.length === 0 ? [now()] : words)); }
  static now() { return now(); }
};
`;

const lanes = 8;

/** One server for all commands, each through the same session. */
export async function throughServe(commands: number): Promise<Stretch> {
  using project = new LongProject();
  const runtime = join(project.root, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  const environment = Object.fromEntries(
    Object.entries({ ...project.environment, XDG_RUNTIME_DIR: runtime }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  const server = spawn(binary, ['serve'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  const tally = new Tally();
  try {
    await once(server.stderr, 'data');
    const client = await connectServer({ runtime: join(runtime, 'holdfast') });
    const options = { cwd: project.workspace, workspace: project.workspace };
    await client.call({ kind: 'open', name: 'long', options, environment }).result;
    await inLanes(commands, lanes, async (number) => {
      tally.add(await throughClient(client, number));
      if (number % Math.ceil(commands / 50) === 0) tally.weigh(server.pid ?? 0);
    });
    const { commands: known } = await client.call({ kind: 'ps' }).result;
    client.close();
    server.kill('SIGTERM');
    await once(server, 'exit');
    const remains = [
      ...(known.length === 0 ? [] : [`the server knows ${known.length} commands`]),
      ...(await project.remains()),
    ];
    return tally.stretch('serve', { remains });
  } finally {
    server.kill('SIGKILL');
  }
}

async function throughClient(client: ServerConnection, number: number) {
  const wanted = traffic(number);
  const call = client.call({ kind: 'exec', session: 'long', mode: 'foreground', argv: [...wanted.argv] });
  call.endInput();
  let stdout = '';
  for await (const { stream, data } of call.output()) if (stream !== 'stderr') stdout += data.toString();
  const seen = await call.result;
  return judged(wanted, { stdout, status: seen.kind === 'ended' ? seen.exitCode : null });
}

export type Trouble = 'none' | 'kills' | 'clocks';

/** `holdfast run` by run, through the supervisor that the first of them starts. */
export async function throughResident(commands: number, trouble: Trouble): Promise<Stretch> {
  using project = new LongProject();
  const tally = new Tally();
  const over = new AbortController();
  const troubles = makeTrouble(project, trouble, over.signal);
  await inLanes(commands, lanes, async (number) => {
    const wanted = traffic(number);
    const came = await run(project, wanted.argv);
    tally.add(judged(wanted, came), `${came.status}: ${came.stderr}`);
    if (trouble !== 'kills' && number % Math.ceil(commands / 50) === 0)
      for (const pid of project.residents) tally.weigh(pid);
  });
  over.abort();
  const killed = await troubles;
  writeFileSync(project.clock, '0');
  // A killed supervisor cannot remove its sockets, so the next one does.
  if (trouble === 'kills') await anotherSupervisor(project);
  const part = `resident, ${trouble === 'none' ? 'undisturbed' : trouble}`;
  return tally.stretch(part, { killed, remains: await project.remains() });
}

/** Returns the number of killed supervisors. */
async function makeTrouble(project: LongProject, trouble: Trouble, over: AbortSignal): Promise<number> {
  let killed = 0;
  while (!over.aborted) {
    await sleep(trouble === 'clocks' ? 50 : 200 + Math.random() * 1500);
    // Up to six years ahead or back.
    if (trouble === 'clocks') writeFileSync(project.clock, `${Math.round((Math.random() - 0.5) * 4e11)}`);
    if (trouble === 'kills') for (const pid of project.residents) killed += signalled(pid, 'SIGKILL');
  }
  return killed;
}

/** 0 if the process has just ended. */
function signalled(pid: number, name: NodeJS.Signals): 0 | 1 {
  try {
    process.kill(pid, name);
    return 1;
  } catch {
    return 0;
  }
}

/** Until it answers, because one that ends during its start removes nothing either. */
async function anotherSupervisor(project: LongProject): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    await run(project, ['true']);
    if (socketsIn(join(project.state, 'run')).length > 0 && (await areAnswered(join(project.state, 'run')))) return;
    await sleep(100);
  }
}

async function areAnswered(directory: string): Promise<boolean> {
  const answers = socketsIn(directory).map(async (name) => {
    const socket = connect({ path: join(directory, name) });
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  });
  return (await Promise.all(answers)).every(Boolean);
}

interface OfRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

function run(project: Project, argv: readonly string[]): Promise<OfRun> {
  const child = spawn(binary, ['run', '--', ...argv], {
    cwd: project.workspace,
    env: project.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (status) => resolve({ stdout, stderr, status })));
}

/** The disk of the state directory fills and empties repeatedly. Each run succeeds, or reports its failure. */
export async function onFullDisks(commands: number): Promise<Stretch> {
  using project = new LongProject();
  const tally = new Tally();
  mkdirSync(project.state, { recursive: true });
  const script = `
mount -t tmpfs -o size=1m,mode=755 none "$S" || exit 99
n=0
while [ $n -lt ${commands} ]; do
  [ $((n % 6)) = 2 ] && dd if=/dev/zero of="$S/filler" bs=4k status=none 2>/dev/null
  [ $((n % 6)) = 5 ] && rm -f "$S/filler"
  said=$("$H" run -- echo "word $n" 2>"$S/../said"); e=$?
  echo "$n $e $([ -s "$S/../said" ] && echo told || echo silent) $said"
  n=$((n + 1))
done
rm -f "$S/filler"
[ "$("$H" run -- echo after)" = after ] && "$H" audit verify >/dev/null && echo whole
umount -l "$S"`;
  const child = spawn('unshare', [...(process.getuid?.() === 0 ? ['-m'] : ['-Urm']), 'sh', '-c', script], {
    cwd: project.workspace,
    env: { ...project.environment, H: binary, S: project.state },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  const lines = said.split('\n').filter(Boolean);
  for (const line of lines.filter((text) => /^\d/u.test(text))) {
    const [number, code, told, ...words] = line.split(' ');
    const right = code === '0' && words.join(' ') === `word ${number}`;
    tally.add(right ? 'right' : code === '125' && told === 'told' ? 'failed' : 'wrong');
  }
  for (const pid of project.residents) signalled(pid, 'SIGTERM');
  const remains = await processesLeft(project.home);
  const whole = lines.includes('whole') ? [] : [`afterwards nothing works (${status})`];
  return tally.stretch('full disks', { remains: [...remains, ...whole] });
}
