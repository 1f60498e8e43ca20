import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real Redis of the machine without persistence. */
export interface RedisServer {
  readonly port: number;
  readonly tlsPort: number | undefined;
  readonly directory: string;
  /** Runs a command by redis-cli, without the broker. Returns the output. */
  admin(...args: readonly string[]): string;
  /** Several of them, in one process. */
  adminAll(commands: readonly (readonly string[])[]): string;
  stop(): Promise<void>;
}

export interface RedisOptions {
  /** Password of the user `default`. Absent: it has none. */
  readonly password?: string;
  /** PEM. Without it, the server speaks no TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly settings?: readonly string[];
}

/** Whether the machine has Redis: scripts/install-test-packages.sh installs it. */
export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;

export async function startRedis({ password, tls, settings = [] }: RedisOptions = {}): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-redis-'));
  const port = await freePort();
  const tlsPort = tls === undefined ? undefined : await freePort();
  const put = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  const secure =
    tls === undefined
      ? []
      : [
          '--tls-port',
          String(tlsPort),
          '--tls-key-file',
          put('key.pem', tls.key),
          '--tls-cert-file',
          put('cert.pem', tls.cert),
          '--tls-ca-cert-file',
          join(directory, 'cert.pem'),
          '--tls-auth-clients',
          'no',
        ];
  const server = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      directory,
      ...(password === undefined ? [] : ['--requirepass', password]),
      ...secure,
      ...settings,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  await ready(server);
  // Ignores the machine's REDISCLI_AUTH.
  const env = { PATH: process.env['PATH'], ...(password !== undefined && { REDISCLI_AUTH: password }) };
  return {
    port,
    tlsPort,
    directory,
    admin: (...args) =>
      execFileSync('redis-cli', ['-p', String(port), ...args], { encoding: 'utf8', env, maxBuffer: 1 << 26 }).trim(),
    adminAll: (commands) =>
      execFileSync('redis-cli', ['-p', String(port)], {
        encoding: 'utf8',
        env,
        input: commands.map((args) => args.map((arg) => JSON.stringify(arg)).join(' ')).join('\n'),
      }).trim(),
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let words = '';
    server.stdout?.on('data', (chunk: Buffer) => {
      words += chunk.toString();
      if (words.includes('Ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error(`Redis did not start: ${words}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
