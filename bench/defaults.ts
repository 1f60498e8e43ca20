import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '../scripts/testing/processes.ts';
import { bubblewrap, codexNative, holdfast, type Peer, sandboxRuntime } from './lib/peers.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import type { Report } from './lib/report.ts';
import { table } from './lib/table.ts';

/** The places of the probes' targets. */
interface Scene {
  readonly scratch: Scratch;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

interface Probe {
  readonly title: string;
  /** Runs under `sh` in the workspace, and prints the canary on success. */
  readonly attempt: string;
  /** On the host, afterwards, if the output does not show it. */
  readonly succeeded?: (scene: Scene) => boolean;
}

const canary = 'canary-of-the-defaults-bench';

/** The first attempts of a prompt-injected agent. */
const probes: readonly Probe[] = [
  { title: 'read an SSH key of your home', attempt: 'cat "$PROBE_HOME/.ssh/id_ed25519"' },
  { title: 'read `.env` in the workspace', attempt: 'cat .env' },
  { title: 'read a token from the environment', attempt: 'echo "$GITHUB_TOKEN"' },
  {
    title: 'write a git hook',
    attempt: `echo ${canary} > .git/hooks/pre-commit`,
    succeeded: ({ scratch }) => holds(join(scratch.workspace, '.git/hooks/pre-commit')),
  },
  {
    title: 'write an MCP server into `.mcp.json`',
    attempt: `echo ${canary} > .mcp.json`,
    succeeded: ({ scratch }) => holds(join(scratch.workspace, '.mcp.json')),
  },
  {
    title: 'change your `.bashrc`',
    attempt: `echo ${canary} >> "$PROBE_HOME/.bashrc"`,
    succeeded: ({ home }) => holds(join(home, '.bashrc')),
  },
  {
    title: 'reach a host that nobody granted',
    // The container's image has no curl, and its busybox may lack wget.
    attempt:
      'curl -s -m 3 "http://$PROBE_ADDRESS:$PROBE_PORT/" || printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc -w 3 "$PROBE_ADDRESS" "$PROBE_PORT"',
  },
  {
    title: 'leave a process behind',
    attempt: 'setsid sleep 61.375 >/dev/null 2>&1 & sleep 0.3',
    succeeded: () => sleepers().length > 0,
  },
];

/** The probes that succeed in each sandbox with its defaults and a writable workspace. An experiment, not a budget. */
export async function defaults(): Promise<Report> {
  const server = createServer((_, response) => response.end(`${canary}\n`)).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const scene = makeScene((server.address() as AddressInfo).port);
  const peers: Readonly<Record<string, Peer>> = {
    'no sandbox': { kind: 'present', prefix: [] },
    container: container(scene),
    bubblewrap: bubblewrap(scene.scratch.workspace),
    Codex: codexNative(),
    srt: sandboxRuntime(scene.scratch),
    Holdfast: holdfast(),
  };
  const hello: Probe = { title: 'run at all', attempt: `echo ${canary}` };
  // A sandbox that starts nothing would stop everything.
  for (const [name, peer] of Object.entries(peers))
    if ((await outcome(hello, peer, scene)) === 'no') throw new Error(`${name} does not run a command here`);
  const rows: string[][] = [];
  for (const probe of probes) {
    const cells: string[] = [];
    for (const peer of Object.values(peers)) cells.push(await outcome(probe, peer, scene));
    rows.push([probe.title, ...cells]);
  }
  server.close();
  const columns = ['', ...Object.keys(peers)].map((title) => ({ title, align: 'left' }) as const);
  return {
    title: 'defaults: what a command can do in each sandbox as it comes',
    parts: [table(columns, rows)],
    budgets: [
      {
        claim: 'probes that succeed without a sandbox',
        measured: count(rows, 1),
        limit: probes.length,
        unit: 'probes',
        direction: 'at-least',
      },
      {
        claim: 'probes that succeed in Holdfast',
        measured: count(rows, 6),
        limit: 0,
        unit: 'probes',
        direction: 'at-most',
      },
    ],
  };
}

function count(rows: readonly (readonly string[])[], column: number): number {
  return rows.filter((row) => row[column] === 'yes').length;
}

async function outcome({ attempt, succeeded }: Probe, peer: Peer, scene: Scene): Promise<string> {
  if (peer.kind === 'absent') return 'absent';
  reset(scene);
  const child = spawn(
    peer.prefix[0] ?? 'sh',
    [...peer.prefix.slice(1), ...(peer.prefix.length > 0 ? ['sh'] : []), '-c', attempt],
    {
      cwd: scene.scratch.workspace,
      env: scene.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.resume();
  await once(child, 'exit');
  await pause(200);
  const done = succeeded?.(scene) ?? output.includes(canary);
  for (const pid of sleepers()) process.kill(pid, 'SIGKILL');
  return done ? 'yes' : 'no';
}

function holds(path: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').includes(canary);
}

/** No other process sleeps for that long. */
function sleepers(): readonly number[] {
  const { stdout } = spawnSync('pgrep', ['-f', 'sleep 61[.]375'], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number).filter(isRunning);
}

function makeScene(port: number): Scene {
  const scratch = makeScratch();
  // Not below /tmp, which some of them replace.
  const home = mkdtempSync(join(homedir(), '.cache/holdfast-bench-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const address = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
  const environment = {
    ...scratch.environment,
    HOME: home,
    PROBE_HOME: home,
    PROBE_ADDRESS: address,
    PROBE_PORT: String(port),
    GITHUB_TOKEN: canary,
  };
  return { scratch, home, environment };
}

function reset({ scratch: { workspace }, home }: Scene): void {
  rmSync(join(workspace, '.git'), { recursive: true, force: true });
  rmSync(join(workspace, '.mcp.json'), { force: true });
  spawnSync('git', ['init', '-q', workspace]);
  writeFileSync(join(workspace, '.env'), `${canary}\n`);
  mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.ssh/id_ed25519'), `${canary}\n`);
  writeFileSync(join(home, '.bashrc'), '');
}

/** A common idea of a sandbox: an image with only a shell, and the mounted workspace. */
function container({ scratch: { workspace, beside } }: Scene): Peer {
  if (spawnSync('podman', ['--version']).status !== 0) return { kind: 'absent', reason: 'podman is not on PATH' };
  if (!existsSync('/bin/busybox')) return { kind: 'absent', reason: 'busybox is not installed' };
  const root = join(beside, 'image');
  for (const directory of ['bin', 'tmp', 'etc', 'proc', 'sys', 'dev', 'run'])
    mkdirSync(join(root, directory), { recursive: true });
  const { stdout: libraries } = spawnSync('ldd', ['/bin/busybox'], { encoding: 'utf8' });
  for (const file of ['/bin/busybox', ...(libraries.match(/\/\S+/gu) ?? [])]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    copyFileSync(file, join(root, file));
    chmodSync(join(root, file), 0o755);
  }
  for (const applet of ['sh', 'cat', 'nc', 'setsid', 'sleep']) symlinkSync('busybox', join(root, 'bin', applet));
  const variables = ['PROBE_HOME', 'PROBE_ADDRESS', 'PROBE_PORT'].flatMap((name) => ['-e', name]);
  return {
    kind: 'present',
    prefix: [
      'podman',
      ...(existsSync('/usr/sbin/runc') ? ['--runtime', '/usr/sbin/runc'] : []),
      'run',
      '--rm',
      '--log-driver=none',
      // The defaults exceed the limits that a machine lets it set without root.
      '--ulimit=nofile=1024:1024',
      '--ulimit=nproc=1024:1024',
      '-v',
      `${workspace}:${workspace}`,
      '-w',
      workspace,
      ...variables,
      '--rootfs',
      root,
    ],
  };
}
