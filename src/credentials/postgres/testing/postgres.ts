import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real PostgreSQL of the machine, with a temporary database. */
export interface PostgresServer {
  readonly port: number;
  readonly directory: string;
  /** Runs SQL as a superuser, without the broker. Returns the output, unaligned. */
  admin(sql: string): string;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Lines for pg_hba.conf. They precede the lines that admit the superuser by socket and everyone by SCRAM. */
  readonly hba?: readonly string[];
  /** PEM. Without it, the server speaks no TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly settings?: Readonly<Record<string, string>>;
}

const nobody = 65_534;

/** Debian's directory of the newest version. Undefined if none is installed. */
export function postgresPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  return readdirSync(root)
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(root, version, 'bin'))
    .find((directory) => existsSync(join(directory, 'initdb')));
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  // A server does not run as root.
  const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-postgres-'));
  const own = (path: string): void => {
    if ('uid' in as) chownSync(path, nobody, nobody);
  };
  own(directory);
  const data = join(directory, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...as, stdio: 'ignore', env: { PATH: process.env['PATH'], LC_ALL: 'C' } },
  );
  const put = (name: string, text: string): void => {
    writeFileSync(join(data, name), text, { mode: 0o600 });
    own(join(data, name));
  };
  put(
    'pg_hba.conf',
    [...(options.hba ?? []), 'local all admin trust', 'host all all all scram-sha-256', ''].join('\n'),
  );
  if (options.tls !== undefined) put('server.key', options.tls.key);
  if (options.tls !== undefined) put('server.crt', options.tls.cert);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: directory,
    fsync: 'off',
    ssl: options.tls === undefined ? 'off' : 'on',
    max_connections: '60',
    ...options.settings,
  };
  // It ends with the test run, however the run ends.
  const server = spawn(
    'setpriv',
    [
      '--pdeathsig',
      'INT',
      join(programs, 'postgres'),
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...as, stdio: ['ignore', 'ignore', 'pipe'], env: { LC_ALL: 'C' } },
  );
  await listening(server, port);
  return {
    port,
    directory,
    admin: (sql) =>
      execFileSync(
        join(programs, 'psql'),
        [
          '-X',
          '-q',
          '-A',
          '-t',
          '-v',
          'ON_ERROR_STOP=1',
          '-h',
          directory,
          '-p',
          String(port),
          '-U',
          'admin',
          '-d',
          'postgres',
        ],
        { input: sql, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] },
      ).trim(),
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      if (server.exitCode === null) await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function listening(server: ChildProcess, port: number): Promise<void> {
  let words = '';
  server.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${words}`);
    if (words.includes('ready to accept connections') && (await reaches(port))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`PostgreSQL does not get ready: ${words}`);
}

function reaches(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
