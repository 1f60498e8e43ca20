import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCentral, centralText } from './record.ts';
import { centralStanding } from './standing.ts';
import { issuedAt, newSigner, policyOf, sealed } from './testing/bundles.ts';
import { type Fleet, fleetMachine } from './testing/machine.ts';

const signer = newSigner();
const { key } = signer;

function enrolledAt(serial: number): Fleet {
  const fleet = fleetMachine();
  fleet.take(sealed(signer, serial), { key });
  return fleet;
}

describe('a pin that others could have written is not trusted:', () => {
  const untrusted = expect.objectContaining({ code: 'HF_BUNDLE_FAILED' });
  const record = ({ paths }: Fleet): string => join(paths.directory, 'record.json');

  test.each<[string, (fleet: Fleet) => void]>([
    ['a record that the group may write', (fleet) => chmodSync(record(fleet), 0o664)],
    ['a directory that all may write', (fleet) => chmodSync(fleet.paths.directory, 0o777)],
    ['a directory above it that all may write', (fleet) => chmodSync(dirname(fleet.paths.directory), 0o777)],
    [
      'a symlink',
      (fleet) => {
        writeFileSync(`${record(fleet)}.other`, readFileSync(record(fleet)));
        rmSync(record(fleet));
        symlinkSync(`${record(fleet)}.other`, record(fleet));
      },
    ],
    [
      'a directory that is a symlink',
      ({ paths: { directory } }) => {
        renameSync(directory, `${directory}.away`);
        symlinkSync(`${directory}.away`, directory);
      },
    ],
    [
      'a FIFO',
      (fleet) => {
        rmSync(record(fleet));
        spawnSync('mkfifo', [record(fleet)]);
      },
    ],
    ['a record of another form', (fleet) => writeFileSync(record(fleet), `${readFileSync(record(fleet), 'utf8')}\n`)],
    ['half a record', (fleet) => writeFileSync(record(fleet), readFileSync(record(fleet)).subarray(0, 100))],
  ])('%s', (_, change) => {
    const fleet = enrolledAt(5);
    change(fleet);
    expect(() => fleet.take(sealed(signer, 6), { key })).toThrow(untrusted);
    expect(() => centralStanding(fleet.paths, issuedAt)).toThrow(untrusted);
    expect(readFileSync(fleet.paths.policy, 'utf8')).toBe(policyOf(5));
  });

  test.skipIf(process.getuid?.() !== 0)('a record of another user', () => {
    const fleet = enrolledAt(5);
    spawnSync('chown', ['1000', record(fleet)]);
    expect(() => fleet.take(sealed(signer, 6))).toThrow(untrusted);
  });
});

test('a record is read as Holdfast wrote it, and as nothing else', () => {
  const fleet = enrolledAt(5);
  const whole = readFileSync(join(fleet.paths.directory, 'record.json'));
  const read = parseCentral(whole);
  if (read === undefined) throw new Error('the record is not read');
  expect(centralText(read)).toBe(whole.toString());
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ by;
      const other = parseCentral(bytes);
      if (other !== undefined) expect(centralText(other)).toBe(bytes.toString());
    }),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        expect(parseCentral(bytes)).toBeUndefined();
      },
    ),
  );
});
