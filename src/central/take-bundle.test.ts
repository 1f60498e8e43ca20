import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { sealBundle } from './envelope.ts';
import { centralStanding, standingFaults } from './standing.ts';
import { rollBack } from './take-bundle.ts';
import { bundleOf, day, digestOf, issuedAt, newSigner, policyOf, sealed } from './testing/bundles.ts';
import { type Fleet, fleetMachine } from './testing/machine.ts';

const signer = newSigner();
const other = newSigner();
const { key } = signer;

function enrolled(serial = 5): Fleet {
  const fleet = fleetMachine();
  fleet.take(sealed(signer, serial), { key });
  return fleet;
}

const inForce = ({ paths }: Fleet): string => readFileSync(paths.policy, 'utf8');

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ code: 'HF_BUNDLE_REFUSED', remedy: expect.stringMatching(/./u) as unknown });
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('a fetch', () => {
  test('puts the policy into force, readable by every user, and the journal has it', () => {
    const before = process.umask(0o077);
    const fleet = enrolled();
    process.umask(before);
    expect(inForce(fleet)).toBe(policyOf(5));
    for (const path of [fleet.paths.policy, join(fleet.paths.directory, 'record.json')])
      expect(statSync(path).mode & 0o777).toBe(0o644);
    for (const path of [fleet.paths.directory, dirname(fleet.paths.directory)])
      expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(fleet.events()).toEqual(['fetch 5']);
  });

  test('of the same bundle changes nothing, and one of a newer takes it', () => {
    const fleet = enrolled();
    expect(fleet.take(sealed(signer, 5)).change).toBe('none');
    expect(fleet.take(sealed(signer, 6)).change).toBe('fetch');
    expect(inForce(fleet)).toBe(policyOf(6));
    expect(fleet.events()).toEqual(['fetch 5', 'fetch 6']);
  });

  test('needs a key the first time', () => {
    expect(() => fleetMachine().take(sealed(signer, 5))).toThrow(/no key is pinned here yet/u);
  });
});

describe('refuses, keeps the policy and notes in the journal', () => {
  const refuses = (fleet: Fleet, run: () => unknown): string => {
    const message = refusal(run);
    expect(inForce(fleet)).toBe(policyOf(5));
    expect(fleet.events()).toEqual(['fetch 5', `refused: ${message}`]);
    return message;
  };

  test('an older serial', () => {
    const fleet = enrolled();
    expect(refuses(fleet, () => fleet.take(sealed(signer, 3)))).toBe('serial 3 is older than 5 in force');
  });

  test('the same serial with another content', () => {
    const fleet = enrolled();
    const offered = sealed(signer, 5, { policy: policyOf(1) });
    expect(refuses(fleet, () => fleet.take(offered))).toBe('serial 5 is in force with different content');
  });

  test('another signer', () => {
    const fleet = enrolled();
    expect(refuses(fleet, () => fleet.take(sealed(other, 6)))).toMatch(/has not signed it$/u);
  });

  test('another key', () => {
    const fleet = enrolled();
    expect(refuses(fleet, () => fleet.take(sealed(other, 6), { key: other.key }))).toMatch(
      /^the key [0-9a-f]{16} is pinned here, and [0-9a-f]{16} is another one$/u,
    );
  });

  test('another name', () => {
    const fleet = enrolled();
    expect(refuses(fleet, () => fleet.take(sealed(signer, 6, { name: 'servers' })))).toBe(
      'the bundle is for "servers", and this machine is pinned to "team"',
    );
    const other = enrolled();
    expect(refuses(other, () => other.take(sealed(signer, 6), { name: 'servers' }))).toBe(
      'the bundle is for "team", but "servers" was requested',
    );
  });

  test('an expired bundle', () => {
    const fleet = enrolled();
    const offered = sealed(signer, 6, { expires: '2026-03-02T12:00:00Z' });
    expect(refuses(fleet, () => fleet.take(offered))).toBe('the bundle expired at 2026-03-02T12:00:00Z');
  });

  test('a bundle of the future, which a wrong clock makes of any', () => {
    const fleet = enrolled();
    const offered = sealed(signer, 6, { issued: '2026-03-02T12:06:00Z' });
    expect(refuses(fleet, () => fleet.take(offered))).toMatch(/the clock of this machine says 2026-03-02T12:00:00Z$/u);
    expect(fleet.take(sealed(signer, 6, { issued: '2026-03-02T12:04:00Z' })).change).toBe('fetch');
  });

  test('another policy than the pinned one', () => {
    const fleet = enrolled();
    const pinned = { policy: digestOf(policyOf(5)) };
    expect(fleet.take(sealed(signer, 5), pinned).change).toBe('restore');
    expect(refusal(() => fleet.take(sealed(signer, 6)))).toMatch(/is pinned here$/u);
    expect(inForce(fleet)).toBe(policyOf(5));
    expect(fleet.take(sealed(signer, 6), { policy: digestOf(policyOf(6)) }).change).toBe('fetch');
  });
});

test('the first fetch can name the name, and leaves nothing behind when it is refused', () => {
  const fleet = fleetMachine();
  expect(refusal(() => fleet.take(sealed(signer, 5, { name: 'servers' }), { key, name: 'team' }))).toMatch(
    /for "servers"/u,
  );
  expect(existsSync(fleet.paths.policy)).toBe(false);
  const standing = centralStanding(fleet.paths, issuedAt);
  expect(standing).toEqual({ kind: 'none' });
  expect(standingFaults(standing, fleet.paths)).toEqual([]);
});

test('a policy under which no box could start is refused', () => {
  const fleet = fleetMachine({
    check() {
      throw new Error('no box');
    },
  });
  expect(() => fleet.take(sealed(signer, 5), { key })).toThrow('no box');
  expect(existsSync(fleet.paths.policy)).toBe(false);
});

test('a managed policy that no bundle has put there stays, unless it is to be replaced', () => {
  const fleet = fleetMachine();
  mkdirSync(dirname(fleet.paths.policy));
  writeFileSync(fleet.paths.policy, 'version = 1\n');
  expect(refusal(() => fleet.take(sealed(signer, 5), { key }))).toMatch(/did not come from a bundle$/u);
  expect(inForce(fleet)).toBe('version = 1\n');
  fleet.take(sealed(signer, 5), { key, foreign: 'replace' });
  expect(inForce(fleet)).toBe(policyOf(5));
});

test('a bundle that both keys have signed moves the pin', () => {
  const fleet = enrolled();
  fleet.take(sealBundle(bundleOf(6), [signer.secret, other.secret]), { key: other.key });
  expect(fleet.take(sealed(other, 7)).change).toBe('fetch');
  expect(refusal(() => fleet.take(sealed(signer, 8)))).toMatch(/has not signed it/u);
  expect(() => rollBack(fleet.machine, 5)).toThrow(/has not signed it/u);
});

describe('a rollback', () => {
  test('goes back one bundle, which a fetch of the newer does not undo', () => {
    const fleet = enrolled();
    fleet.take(sealed(signer, 6));
    expect(rollBack(fleet.machine)).toMatchObject({ change: 'rollback', bundle: { serial: 5 } });
    expect(inForce(fleet)).toBe(policyOf(5));
    expect(refusal(() => fleet.take(sealed(signer, 6)))).toBe('serial 6 was rolled back here: 5 is in force');
    expect(fleet.take(sealed(signer, 5)).change).toBe('none');
    expect(fleet.take(sealed(signer, 7)).change).toBe('fetch');
    expect(fleet.events()).toEqual([
      'fetch 5',
      'fetch 6',
      'rollback 5',
      'refused: serial 6 was rolled back here: 5 is in force',
      'fetch 7',
    ]);
  });

  test('goes to a named serial, forward as well', () => {
    const fleet = enrolled();
    fleet.take(sealed(signer, 6));
    rollBack(fleet.machine, 5);
    rollBack(fleet.machine, 6);
    expect(inForce(fleet)).toBe(policyOf(6));
    expect(() => rollBack(fleet.machine, 4)).toThrow(/no bundle with serial 4 is stored here/u);
  });

  test('needs a bundle before it', () => {
    expect(() => rollBack(enrolled().machine)).toThrow(/no bundle before serial 5/u);
    expect(() => rollBack(fleetMachine().machine)).toThrow(/no bundle is in force here/u);
  });

  test('verifies the kept bundle again', () => {
    const fleet = enrolled();
    fleet.take(sealed(signer, 6));
    const kept = join(fleet.paths.directory, '5.bundle');
    writeFileSync(kept, sealed(other, 5));
    expect(refusal(() => rollBack(fleet.machine))).toMatch(/has not signed it/u);
    writeFileSync(kept, sealed(signer, 5, { policy: 'version = 1\n' }));
    expect(() => rollBack(fleet.machine)).toThrow(/the stored bundle 5 is not the one in the record/u);
    rmSync(kept);
    expect(() => rollBack(fleet.machine)).toThrow(/is gone/u);
    expect(inForce(fleet)).toBe(policyOf(6));
  });
});

describe('what stands here', () => {
  test('an expired bundle stays in force, and one line says what to do', () => {
    const fleet = enrolled();
    const standing = centralStanding(fleet.paths, issuedAt + 100 * day);
    expect(inForce(fleet)).toBe(policyOf(5));
    expect(standingFaults(standing, fleet.paths)).toEqual([
      'the policy team 5 EXPIRED at 2026-06-01T12:00:00Z and stays in force: publish a newer bundle, then run `holdfast policy fetch https://policy.example.com/team.bundle`',
    ]);
    expect(standingFaults(centralStanding(fleet.paths, issuedAt + day), fleet.paths)).toEqual([]);
  });

  test('a file that someone changed or removed is found, and the next fetch restores it, expired or not', () => {
    const fleet = fleetMachine({ now: () => issuedAt + 100 * day });
    fleet.take(sealed(signer, 5, { expires: '2027-01-01T00:00:00Z' }), { key });
    const late = { ...fleet.machine, now: () => issuedAt + 1000 * day };
    writeFileSync(fleet.paths.policy, 'version = 1\n');
    expect(standingFaults(centralStanding(fleet.paths, late.now()), fleet.paths)[1]).toMatch(/is NOT that of team 5/u);
    rmSync(fleet.paths.policy);
    expect(standingFaults(centralStanding(fleet.paths, late.now()), fleet.paths)[1]).toMatch(/is GONE/u);
    expect(fleet.take(sealed(signer, 5, { expires: '2027-01-01T00:00:00Z' })).change).toBe('restore');
    expect(inForce(fleet)).toBe(policyOf(5));
    expect(fleet.events()).toEqual(['fetch 5', 'restore 5']);
  });

  test('a clock that was set back is found, because no bundle expires under it', () => {
    const fleet = fleetMachine({ now: () => issuedAt + 50 * day });
    fleet.take(sealed(signer, 5), { key });
    expect(standingFaults(centralStanding(fleet.paths, issuedAt + day), fleet.paths)).toEqual([
      'the clock is BEHIND an earlier fetch, so it is unknown whether team 5 has expired: set the clock',
    ]);
  });

  test('20 bundles are remembered, with the newest serial and that in force', () => {
    const fleet = enrolled(1);
    for (let serial = 2; serial <= 30; serial += 1) fleet.take(sealed(signer, serial));
    rollBack(fleet.machine, 12);
    const standing = centralStanding(fleet.paths, issuedAt);
    if (standing.kind === 'none') throw new Error('nothing stands');
    expect(standing.record.bundles.map(({ serial }) => serial)).toEqual(Array.from({ length: 20 }, (_, at) => at + 11));
    fleet.take(sealed(signer, 40));
    expect(existsSync(join(fleet.paths.directory, '1.bundle'))).toBe(false);
    expect(existsSync(join(fleet.paths.directory, '12.bundle'))).toBe(true);
  });
});
