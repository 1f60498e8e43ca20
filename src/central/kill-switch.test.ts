import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { centralStanding, standingFaults } from './standing.ts';
import { digestOf, newSigner, policyOf, sealed } from './testing/bundles.ts';
import { type Fleet, fleetMachine } from './testing/machine.ts';

const signer = newSigner();
const script = join(import.meta.dirname, 'testing/take-once.ts');

function wordsToTake({ machine, paths }: Fleet, serial: number): readonly string[] {
  const bundle = join(dirname(machine.journal), `../offered-${serial}`);
  writeFileSync(bundle, sealed(signer, serial));
  return [process.execPath, '--no-warnings', script, paths.policy, machine.journal, signer.key, bundle];
}

const traces = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!traces) console.warn('SKIPPED: fetches killed at system calls, because strace is not installed or may not trace');

/** At the time of each call on a file or directory of the switch. Returns whether it was killed. */
function killedAt(fleet: Fleet, call: string, at: number): boolean {
  const { directory, policy } = fleet.paths;
  const names = ['record.json', 'record.json.new', '5.bundle', '6.bundle', '6.bundle.new', ''];
  const paths = [policy, `${policy}.new`, dirname(policy), ...names.map((name) => join(directory, name))];
  const [program = '', ...words] = wordsToTake(fleet, 6);
  const only = paths.flatMap((path) => ['-P', path]);
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${at}`];
  const strace = ['-f', '-qq', '-o', '/dev/null', ...only, ...inject, program, ...words];
  const { signal, status } = spawnSync('strace', strace);
  return signal !== null || status !== 0;
}

describe.skipIf(!traces)('a fetch that is killed', () => {
  const moments = { killed: 0 };

  test.each(['rename', 'fsync', 'write', 'openat', 'flock'])(
    'at any %s leaves a whole policy, and never the way back',
    {
      timeout: 120_000,
    },
    (call) => {
      for (let at = 1; ; at += 1) {
        const fleet = fleetMachine();
        fleet.take(sealed(signer, 4), { key: signer.key });
        fleet.take(sealed(signer, 5));
        const isKilled = killedAt(fleet, call, at);
        const left = readFileSync(fleet.paths.policy, 'utf8');
        expect([policyOf(5), policyOf(6)], `killed at ${call} ${at}`).toContain(left);
        expect(() => fleet.take(sealed(signer, 4))).toThrow(/serial 4 is older than [56] in force/u);
        if (left === policyOf(6))
          expect(() => fleet.take(sealed(signer, 5))).toThrow(/serial 5 is older than 6 in force/u);
        fleet.take(sealed(signer, 6));
        expect(readFileSync(fleet.paths.policy, 'utf8')).toBe(policyOf(6));
        expect(standingFaults(centralStanding(fleet.paths, fleet.machine.now()), fleet.paths)).toEqual([]);
        if (!isKilled) break;
        moments.killed += 1;
      }
    },
  );

  test('is so at many moments in all', () => {
    expect(moments.killed).toBeGreaterThan(15);
  });
});

test('of ten fetches at once, the newest serial is in force in the end, and each change is in the journal', {
  timeout: 60_000,
}, async () => {
  const fleet = fleetMachine();
  fleet.take(sealed(signer, 1), { key: signer.key });
  const serials = Array.from({ length: 10 }, (_, index) => index + 2);
  await Promise.all(
    serials.map(async (serial) => {
      const [program = '', ...words] = wordsToTake(fleet, serial);
      await once(spawn(program, words, { stdio: 'ignore' }), 'exit');
    }),
  );
  const standing = centralStanding(fleet.paths, fleet.machine.now());
  expect(standing).toMatchObject({ file: 'whole', current: { serial: 11, policy: digestOf(policyOf(11)) } });
  const taken = fleet.events().filter((event) => event.startsWith('fetch'));
  expect(taken.at(-1)).toBe('fetch 11');
  expect(taken).toEqual(taken.toSorted((a, b) => Number(a.slice(6)) - Number(b.slice(6))));
  expect(existsSync(`${fleet.paths.policy}.new`)).toBe(false);
});
