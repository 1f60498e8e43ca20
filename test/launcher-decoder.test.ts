import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordKinds } from '../src/backends/launcher/encode-plan.ts';
import { encodeSmall, smallPlan } from './lib/bare-launcher.ts';
import { repository } from './lib/holdfast.ts';

/** A plan's own header. */
const headerSize = 8;
let scratch: string;
let whole: Buffer;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-decoder-'));
  const sources = globSync('native/src/launch/plan/*.c', { cwd: repository });
  const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize=alignment', '-fno-sanitize-recover=all'];
  const program = ['-o', join(scratch, 'decode'), 'test/fixtures/launcher/decode-plans.c', ...sources];
  execFileSync('cc', ['-std=gnu11', '-O1', '-g', '-D_GNU_SOURCE', ...sanitizers, ...program], { cwd: repository });
  mkdirSync(join(scratch, 'ws/.git/hooks'), { recursive: true });
  whole = encodeSmall(smallPlan(join(scratch, 'ws'), [])).subarray(headerSize);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function record(kind: number, payload: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(kind, 0);
  head.writeUInt16LE(flags, 2);
  head.writeUInt32LE(payload.length, 4);
  return Buffer.concat([head, payload]);
}

/** The fault of each plan, or `-`. A read outside of a plan's bytes is an error of its own. */
function faultsOf(plans: readonly Buffer[]): readonly string[] {
  const input = plans.flatMap((plan) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(plan.length);
    return [length, plan];
  });
  const { status, stdout, stderr } = spawnSync(join(scratch, 'decode'), {
    input: Buffer.concat(input),
    env: { ASAN_OPTIONS: 'detect_leaks=0' },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(stderr.slice(0, 4000)).toBe('');
  expect(status).toBe(0);
  return stdout.trimEnd().split('\n');
}

describe.runIf(process.platform === 'linux')('a plan is read within its bytes, if it', () => {
  test('is whole', () => expect(faultsOf([whole])).toEqual(['-']));

  test('ends at any byte', () => {
    const faults = faultsOf(Array.from({ length: whole.length }, (_, length) => whole.subarray(0, length)));
    expect(faults).toHaveLength(whole.length);
    expect(faults).toContain('a record is longer than the plan');
  });

  test('ends in a record of any kind, with any flags, that has less than it needs', () => {
    const contents = [0, 1, 0x2f, 0xff].flatMap((byte) =>
      Array.from({ length: 48 }, (_, length) => Buffer.alloc(length, byte)),
    );
    const flags = [0, 1, 2, 3, 4, 8, 64, 0x100, 0xffff];
    const plans = Object.values(recordKinds).flatMap((kind) =>
      flags.flatMap((flag) => contents.map((payload) => record(kind, payload, flag))),
    );
    expect(faultsOf(plans)).toHaveLength(plans.length);
  });

  test('ends in a message to the network that its own length does not fit', () => {
    const message = (length: number, size: number): Buffer => {
      const bytes = Buffer.alloc(size);
      if (size >= 4) bytes.writeUInt32LE(length, 0);
      return record(recordKinds.netlink, bytes);
    };
    const sizes = Array.from({ length: 40 }, (_, size) => size);
    for (const length of [0, 15, 16, 17, 20, 65_536, 0xffff_fffc, 0xffff_ffff])
      expect(faultsOf(sizes.map((size) => message(length, size)))).toHaveLength(sizes.length);
  });
});

test('a plan without a part that every box needs is refused by its name', () => {
  const without = (kind: number): Buffer => {
    const records: Buffer[] = [];
    for (let at = 0; at < whole.length; ) {
      const end = at + 8 + whole.readUInt32LE(at + 4);
      if (whole.readUInt16LE(at) !== kind) records.push(whole.subarray(at, end));
      at = end;
    }
    return Buffer.concat(records);
  };
  expect(faultsOf([recordKinds.argument, recordKinds.cwd, recordKinds.seccomp].map(without))).toEqual([
    'there is no command',
    'there is no working directory',
    'there is no seccomp filter',
  ]);
});
