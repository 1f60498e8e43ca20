import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, batch, rawSession, type RawLogin } from './raw-session.ts';
import type { PostgresServer } from './postgres.ts';
import { batteryFingerprint, batteryFixture } from './battery-database.ts';
import type { AttackTurn, ReadOnlyAttack } from './read-only-battery.ts';

/** A server for the battery. `effect` reports whether something has changed since its last call. */
export interface Arena {
  /** SQLSTATEs of each turn: `ok` without an error, `closed` for an ended connection. */
  run(attack: ReadOnlyAttack, login: RawLogin): Promise<readonly string[]>;
  effect(): 'none' | 'some';
}

/** Prepares the database of `app`, which has to exist. */
export function prepareArena(server: PostgresServer): Arena {
  server.admin(batteryFixture);
  const out = join(server.directory, 'out');
  if (!existsSync(out)) mkdirSync(out);
  if (process.getuid?.() === 0) chownSync(out, 65_534, 65_534);
  const filled = (sql: string): string => sql.replaceAll('$OUT', out).replaceAll('$PORT', String(server.port));
  const look = (): string => server.admin(batteryFingerprint) + readdirSync(out).join();
  let before = look();
  return {
    async run(attack, login) {
      const session = await rawSession(login);
      const outcomes: string[] = [];
      try {
        for (const turn of attack.turns) outcomes.push((await perform(turn, filled, session)).join('+') || 'ok');
      } catch {
        outcomes.push('closed');
      } finally {
        session.send(Buffer.from('5800000004', 'hex'));
        await gone(session.socket);
      }
      return outcomes;
    },
    effect() {
      const now = look();
      const changed = now !== before;
      before = now;
      return changed ? 'some' : 'none';
    },
  };
}

async function perform(
  turn: AttackTurn,
  filled: (sql: string) => string,
  session: Awaited<ReturnType<typeof rawSession>>,
): Promise<readonly string[]> {
  if (typeof turn === 'string') return (await session.query(filled(turn))).errors;
  session.send(batch(...turn.extended.map(filled)));
  return answerOf(await session.ready()).errors;
}

function gone(socket: { readonly closed: boolean; once(event: 'close', heard: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => (socket.closed ? resolve() : void socket.once('close', resolve)));
}
