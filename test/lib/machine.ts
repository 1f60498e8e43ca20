import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { hostTrustFiles } from '../../src/egress/tls/host-trust.ts';
import { repository } from './holdfast.ts';

/** Names of the examples, all at one address of the internet; 93.184.216.0/24 leads to the machine itself. */
const names = ['example.com', 'www.example.com', 'api.example.com', 'docs.example.com', 'cdn.example.com', 'proxy.example.com', 'db.example.com', 'cache.example.com', 'registry.npmjs.org'];
const hosts = `127.0.0.1 localhost\n::1 localhost\n93.184.216.34 ${names.join(' ')}\n`;

/** `$1` directory, `$2` trust bundle, `$3` node, `$4` server; the rest is the command. */
const begin = `
ip link set lo up && ip route add local 93.184.216.0/24 dev lo && echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start || exit 99
"$3" --no-warnings "$4" "$1" > "$1/server" 2>&1 &
server=$!
until [ -e "$1/ready" ]; do kill -0 $server 2> /dev/null || { cat "$1/server" >&2; exit 99; }; sleep 0.01; done
mount --bind "$1/hosts" /etc/hosts && { [ -z "$2" ] || mount --bind "$1/bundle.pem" "$2"; } || exit 99
shift 4
status=0
"$@" || status=$?
kill $server
exit $status
`;

/**
 * The words that run a command on a machine with an internet of its own: network and mounts in namespaces, names in its
 * hosts file, web servers behind them whose certificates the machine believes. Nothing leaves the real machine. Files
 * go into `directory`.
 */
export function onMachine(directory: string, argv: readonly string[]): readonly string[] {
  const bundle = hostTrustFiles().find(({ format }) => format === 'pem');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'hosts'), hosts);
  writeFileSync(join(directory, 'roots.pem'), bundle?.content ?? '');
  const words = [directory, bundle?.target ?? '', process.execPath, join(repository, 'test/fixtures/internet.ts')];
  return [...namespaces(), 'sh', '-c', begin, 'machine', ...words, ...itself(), ...argv];
}

/** Whoever is not root may do this only as root of a user namespace … */
function namespaces(): readonly string[] {
  return process.getuid?.() === 0 ? ['unshare', '-mn'] : ['unshare', '-Urmn'];
}

/** … and is itself again in one below. */
function itself(): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 ? [] : ['unshare', '-U', `--map-user=${uid}`, `--map-group=${process.getgid?.() ?? uid}`];
}
