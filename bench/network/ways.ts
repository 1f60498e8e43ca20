import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import { leafMint } from '../../src/egress/tls/leaf.ts';
import { toPem } from '../../src/egress/tls/host-trust.ts';
import { holdfast, type Peer, sandboxRuntime, sandboxRuntimeSettings } from '../lib/peers.ts';
import type { Scratch } from '../lib/scratch.ts';
import { onPath } from './on-path.ts';
import { firstLine } from './first-line.ts';
import type { BenchServer } from './server.ts';

/** A way from a client to the server, and the server's name at its inner end. */
export interface Way {
  readonly name: string;
  readonly peer: Peer;
  readonly host: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The client's place. */
  readonly workspace: string;
  /** The process whose memory connections cost, with its descendants. Default: the outermost process of the way. */
  readonly carrier?: number;
}

export const names = {
  bare: 'bare loopback',
  proxy: 'Node CONNECT proxy',
  pipes: 'Node TLS proxy',
  requests: 'Node https proxy',
  srt: 'srt',
  pasta: 'pasta',
  ours: 'holdfast',
  ended: 'holdfast, TLS ended',
} as const;

/** No rule concerns requests to the first. One concerns requests to the second, so TLS ends in Holdfast there. */
export const hosts = { spliced: 'bench.example', intercepted: 'api.bench.example' } as const;

export interface Ways {
  readonly all: readonly Way[];
  close(): void;
}

/** All of them lead to `server`. */
export async function openWays(scratch: Scratch, server: BenchServer): Promise<Ways> {
  const environment = Object.fromEntries(
    Object.entries(scratch.environment).filter(([name]) => !/_proxy$/iu.test(name)),
  );
  const proxies = [
    await startProxy('connect-proxy.ts', [], environment),
    ...(await endingProxies(scratch, server, environment)),
  ];
  const bare: Peer = { kind: 'present', prefix: [] };
  const box = holdfastAround(scratch, server);
  const common = { environment, workspace: scratch.workspace };
  const all: readonly Way[] = [
    { name: names.bare, peer: bare, host: '127.0.0.1', ...common },
    ...[names.proxy, names.pipes, names.requests].map((name, index) => ({
      name,
      peer: bare,
      host: name === names.proxy ? '127.0.0.1' : hosts.intercepted,
      ...common,
      ...behind(proxies[index] as Proxy, environment),
    })),
    // Its guard of addresses lets no other name mean the loopback.
    { name: names.srt, host: 'localhost', ...common, ...sandboxRuntimeAround(scratch) },
    { name: names.pasta, ...pasta(), ...common },
    { name: names.ours, peer: box, host: hosts.spliced, ...common },
    { name: names.ended, peer: box, host: hosts.intercepted, ...common },
  ];
  return { all, close: () => proxies.forEach(({ close }) => close()) };
}

interface Proxy {
  readonly url: string;
  readonly pid: number;
  close(): void;
}

async function startProxy(program: string, words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Proxy> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...words], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    url: `http://127.0.0.1:${await firstLine(child)}`,
    pid: child.pid as number,
    close: () => void child.stdin.end(),
  };
}

function behind({ url, pid }: Proxy, environment: NodeJS.ProcessEnv): Pick<Way, 'environment' | 'carrier'> {
  return { environment: { ...environment, HTTPS_PROXY: url }, carrier: pid };
}

/** The proxies that end TLS, under their own authority: the cost of ending it in Node alone. */
function endingProxies(
  scratch: Scratch,
  { authority }: BenchServer,
  environment: NodeJS.ProcessEnv,
): Promise<readonly Proxy[]> {
  const mint = leafMint(createAuthority());
  const [certificate, key] = [join(scratch.beside, 'proxy.pem'), join(scratch.beside, 'proxy-key.pem')];
  writeFileSync(certificate, toPem(mint.certificateFor(hosts.intercepted)));
  writeFileSync(key, mint.privateKeyPem, { mode: 0o600 });
  return Promise.all(
    ['pipes', 'requests'].map((kind) =>
      startProxy('tls-proxy.ts', [kind, certificate, key, authority, hosts.intercepted], environment),
    ),
  );
}

/** In a mount namespace with a separate hosts file, because Holdfast decides by name. */
function holdfastAround(scratch: Scratch, server: BenchServer): Peer {
  const peer = holdfast();
  if (peer.kind === 'absent') return peer;
  if (onPath('unshare') === undefined) return { kind: 'absent', reason: 'unshare is not on PATH' };
  writePolicy(scratch.environment['XDG_CONFIG_HOME'] as string, policyFor(server));
  const file = join(scratch.beside, 'hosts');
  writeFileSync(file, `127.0.0.1 localhost ${Object.values(hosts).join(' ')}\n`);
  const user = process.getuid?.() === 0 ? [] : ['--map-current-user', '--keep-caps'];
  return {
    kind: 'present',
    prefix: [
      'unshare',
      ...user,
      '--mount',
      'sh',
      '-c',
      'mount --bind "$0" /etc/hosts && exec "$@"',
      file,
      ...peer.prefix,
    ],
  };
}

export function writePolicy(configuration: string, policy: string): void {
  mkdirSync(join(configuration, 'holdfast'), { recursive: true });
  writeFileSync(join(configuration, 'holdfast/policy.toml'), policy);
}

/** The policy opens the loopback by its addresses, because a name alone never leads there. */
function policyFor({ plain, secure, authority }: BenchServer): string {
  const granted = [hosts.spliced, `127.0.0.1:${plain}`, `127.0.0.1:${secure}`];
  return `version = 1

[network]
hosts = ${JSON.stringify(granted)}
ca = ${JSON.stringify([authority])}

[[http]]
name = "bench-requests"
decision = "allow"
hosts = ["${hosts.intercepted}"]
methods = ["GET"]
`;
}

/** In a separate workspace, because it leaves files that Holdfast would quarantine. */
function sandboxRuntimeAround(scratch: Scratch): Pick<Way, 'peer' | 'workspace'> {
  const workspace = join(scratch.beside, 'srt');
  mkdirSync(workspace);
  const peer = sandboxRuntime(scratch);
  const settings = sandboxRuntimeSettings(workspace);
  const allowed = { ...settings, network: { ...settings.network, allowedDomains: ['localhost'] } };
  writeFileSync(join(scratch.beside, 'srt-settings.json'), JSON.stringify(allowed));
  return { peer, workspace };
}

/** The host's loopback is behind the gateway's address. */
function pasta(): Pick<Way, 'peer' | 'host'> {
  const program = onPath('pasta');
  const gateway = defaultGateway();
  if (program === undefined)
    return { peer: { kind: 'absent', reason: 'pasta is not on PATH (Debian: passt)' }, host: '' };
  if (gateway === undefined) return { peer: { kind: 'absent', reason: 'pasta needs a default route' }, host: '' };
  const user = process.getuid?.() === 0 ? ['--runas', '0'] : [];
  return {
    peer: { kind: 'present', prefix: [program, '--config-net', '--quiet', '--foreground', ...user, '--'] },
    host: gateway,
  };
}

/** In hexadecimal, in the byte order of the machine (proc_net(5)). */
function defaultGateway(): string | undefined {
  const routes = readFileSync('/proc/net/route', 'utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  const gateway = routes.find(([, destination]) => destination === '00000000')?.[2];
  return gateway === undefined ? undefined : [...Buffer.from(gateway, 'hex')].toReversed().join('.');
}
