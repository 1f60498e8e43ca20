import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { hostTrustFiles } from '../../src/egress/tls/host-trust.ts';
import { repository } from './holdfast.ts';

/** Names of the examples, all at one internet address. 93.184.216.0/24 leads to the machine itself. */
const names = [
  'example.com',
  'www.example.com',
  'api.example.com',
  'docs.example.com',
  'policy.example.com',
  'cdn.example.com',
  'proxy.example.com',
  'db.example.com',
  'cache.example.com',
  'registry.npmjs.org',
];
const standard: Internet = {
  fixture: 'test/fixtures/internet.ts',
  hosts: Object.fromEntries(names.map((name) => [name, '93.184.216.34'])),
};

/** The servers beyond a machine. */
export interface Internet {
  /** The program of its servers, relative to the repository's root. Its argument is the machine's directory. */
  readonly fixture: string;
  /** Names, and their addresses in 93.184.216.0/24. */
  readonly hosts: Readonly<Record<string, string>>;
}

function hostsFile({ hosts }: Internet): string {
  const lines = Object.entries(hosts).map(([name, address]) => `${address} ${name}\n`);
  return `127.0.0.1 localhost\n::1 localhost\n${lines.join('')}`;
}

/** `$1` directory, `$2` trust bundle, `$3` node, `$4` server. Lives as long as its stdin is open. */
const begin = `
ip link set lo up && ip route add local 93.184.216.0/24 dev lo && echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start || exit 99
"$3" --no-warnings "$4" "$1" > "$1/server" 2>&1 &
server=$!
until [ -e "$1/ready" ]; do kill -0 $server 2> /dev/null || { cat "$1/server" >&2; exit 99; }; sleep 0.01; done
mount --bind "$1/hosts" /etc/hosts && { [ -z "$2" ] || mount --bind "$1/bundle.pem" "$2"; } || exit 99
echo ready
cat > /dev/null
kill $server
`;

/** A running machine. */
export interface Machine extends AsyncDisposable {
  /** Holds its servers' files, such as `proxied`. MACHINE leads a command there. */
  readonly directory: string;
  /** The words that run a command on it, in the caller's directory and environment. */
  words(cwd: string, argv: readonly string[]): readonly string[];
}

export interface MachineOptions {
  readonly directory: string;
  /** Unix sockets of databases, which appear at db.example.com and cache.example.com. */
  readonly services?: Readonly<Record<string, string>>;
  /** Default: the servers of the pages' examples. */
  readonly internet?: Internet;
}

/**
 * Starts a machine with its own internet. It has network and mounts in namespaces, names in its hosts file, and web
 * servers whose certificates it trusts. Nothing leaves the real machine. Throws if the machine cannot be made.
 */
export async function startMachine({
  directory,
  services = {},
  internet = standard,
}: MachineOptions): Promise<Machine> {
  const bundle = hostTrustFiles().find(({ format }) => format === 'pem');
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries({
    ...services,
    hosts: hostsFile(internet),
    'roots.pem': bundle?.content ?? '',
  }))
    writeFileSync(join(directory, name), content);
  const argv = [
    'sh',
    '-c',
    begin,
    'machine',
    directory,
    bundle?.target ?? '',
    process.execPath,
    join(repository, internet.fixture),
  ];
  const [program = '', ...words] = [...namespaces(), ...argv];
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const began = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!began) throw new Error('the machine of the examples did not start');
  return {
    directory,
    words: (cwd, command) => ['nsenter', ...entering(child.pid ?? 0), `--wd=${cwd}`, ...itself(), ...command],
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Only root of a user namespace may do this without root rights … */
function namespaces(): readonly string[] {
  return process.getuid?.() === 0 ? ['unshare', '-mn'] : ['unshare', '-Urmn'];
}

/** … and becomes the caller again in a namespace below. */
function itself(): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 ? [] : ['unshare', '-U', `--map-user=${uid}`, `--map-group=${process.getgid?.() ?? uid}`];
}

function entering(pid: number): readonly string[] {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials'];
  return [`--target=${pid}`, '--mount', '--net', ...user];
}
