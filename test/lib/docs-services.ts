import { join } from 'node:path';
import { postgresPrograms, startPostgres } from '../../src/credentials/postgres/testing/postgres.ts';
import { hasRedis, startRedis } from '../../src/credentials/redis/testing/redis.ts';

/** Databases that a fence of docs/databases.md names. */
export type ServiceName = 'postgres' | 'redis';

export interface Service extends AsyncDisposable {
  /** Unix socket. */
  readonly socket: string;
}

/** A machine without one reports that: scripts/install-test-packages.sh installs them. */
export const isInstalled: Readonly<Record<ServiceName, boolean>> = {
  postgres: postgresPrograms() !== undefined,
  redis: hasRedis,
};

const password = 'example-7Hq2mVx9Lk4T';

/** The page's assumptions: the password of its examples, and a table of people. */
export const startService: Readonly<Record<ServiceName, () => Promise<Service>>> = {
  async postgres() {
    const server = await startPostgres({ hba: ['local app app scram-sha-256'] });
    server.admin(`CREATE ROLE app LOGIN PASSWORD '${password}'; CREATE DATABASE app OWNER app`);
    server.admin(
      "\\c app admin\nCREATE TABLE people (id int, name text); ALTER TABLE people OWNER TO app; INSERT INTO people VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Barbara')",
    );
    return { socket: join(server.directory, `.s.PGSQL.${server.port}`), [Symbol.asyncDispose]: () => server.stop() };
  },
  async redis() {
    const socket = 'redis.sock';
    const server = await startRedis({ password, settings: ['--unixsocket', socket] });
    return { socket: join(server.directory, socket), [Symbol.asyncDispose]: () => server.stop() };
  },
};
