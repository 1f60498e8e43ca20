import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../src/errors/index.ts';
import type { Arena } from './arena.ts';
import type { Attack } from './attack.ts';

/**
 * A separate machine for one performance, with an internet that answers at every address. It has network and mount
 * namespaces, so that the real machine stays untouched. The scripts find `$ARENA/world` with `heard`, `wire` and
 * `ca.pem`.
 */
export interface World {
  /** A process in the machine's namespaces. */
  readonly pid: number;
  /** Throws if one of its servers broke: an attack that nobody could notice was not blocked. */
  check(): void;
  end(): void;
}

/** Addresses of the machine itself. They are public, so that only their own status as host addresses closes them. */
const hosts = '127.0.0.1 localhost\n::1 localhost\n93.184.215.2 machine.example\n';
const resolvConf = 'nameserver 93.184.217.53\noptions timeout:1 attempts:1\n';
const scripts = resolve(import.meta.dirname, '../world');
/** Milliseconds. */
const patience = 10_000;

/** Undefined if the attack needs none. */
export async function startWorld(attack: Attack, arena: Arena): Promise<World | undefined> {
  if (attack.world === undefined) return undefined;
  const directory = join(arena.root, 'world');
  mkdirSync(directory, { mode: 0o755 });
  const files = {
    hosts: hosts + attack.world.hosts.map((line) => `${line}\n`).join(''),
    'resolv.conf': resolvConf,
    heard: '',
    wire: '',
    'ca.pem': '',
    'world.json': JSON.stringify({ canary: arena.canary, records: attack.world.records, tls: attack.world.tls }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  copyFileSync(join(arena.tools, 'sniff'), join(directory, 'sniff'));
  for (const name of [
    'seen.sh',
    'key-seen.sh',
    'with-key.sh',
    'service.py',
    'model_service.py',
    'naive_proxy.py',
    'with-proxy.sh',
  ])
    copyFileSync(join(scripts, name), join(directory, name));
  const argv = [
    '-nm',
    'sh',
    join(scripts, 'up.sh'),
    directory,
    process.execPath,
    join(scripts, 'internet.ts'),
    directory,
  ];
  const child = spawn('unshare', argv, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...compileCache() },
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const check = (): void => {
    if (complaints !== '') throw broken(complaints);
  };
  const world: World = { pid: child.pid ?? -1, check, end: () => endGroup(child) };
  try {
    await said(child, ['linked', 'sniffing', 'serving']);
    return world;
  } catch (error) {
    world.end();
    throw error;
  }
}

/** Each performance loads its servers again, and their compilation takes most of that time. */
function compileCache(): Readonly<Record<string, string>> {
  const directory = process.env['NODE_COMPILE_CACHE'];
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}

/** Listeners in the machine's network namespace, as `PROTOCOL ADDRESS:PORT` in hexadecimal. */
export function listenersOf(world: World | undefined): readonly string[] {
  if (world === undefined) return [];
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
    readFileSync(`/proc/${world.pid}/net/${protocol}`, 'utf8')
      .split('\n')
      .flatMap((line) => /^ *\d+: ([\dA-F]+:[\dA-F]{4}) \S+ (?:0A|07) /u.exec(line)?.[1] ?? [])
      .map((address) => `${protocol} ${address}`),
  );
}

function broken(output: string): HoldfastError {
  return new HoldfastError('HF_USAGE', `the network for an attack broke: ${output.trim()}`, {
    remedy: 'see attacks/world/up.sh; it needs root, iproute2 and util-linux',
  });
}

/** The scripts and the servers are one process group. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function said(child: ChildProcess, words: readonly string[]): Promise<void> {
  return new Promise((settle, reject) => {
    let output = '';
    const fail = (): void => reject(broken(output));
    const timer = setTimeout(fail, patience);
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!words.every((word) => output.includes(`${word}\n`))) return;
      clearTimeout(timer);
      settle();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('error', fail).once('close', fail);
  });
}
