import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import { pinnedPrograms, programPins } from './program-pins.ts';

function tool(): { readonly directory: string; readonly path: string } {
  const directory = mkdtempSync('/var/tmp/holdfast-pins-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'tool');
  writeFileSync(path, 'one', { mode: 0o755 });
  return { directory, path };
}

const untrusted = expect.objectContaining({ code: 'HF_PROGRAM_UNTRUSTED' }) as unknown;

function failureOf(act: () => void): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a program that was used before', () => {
  test.each<[string, (at: ReturnType<typeof tool>) => void]>([
    ['nothing happened', () => undefined],
    ['it was touched', ({ path }) => utimesSync(path, 1, 1)],
    ['the same was written again', ({ path }) => writeFileSync(path, 'one')],
  ])('%s', (_, change) => {
    const at = tool();
    const pins = programPins();
    pins.check(at.path);
    change(at);
    expect(failureOf(() => pins.check(at.path))).toBeUndefined();
  });

  test.each<[string, (at: ReturnType<typeof tool>) => void]>([
    ['its content is another one', ({ path }) => writeFileSync(path, 'two')],
    [
      'it was replaced',
      ({ directory, path }) => {
        writeFileSync(join(directory, 'new'), 'two', { mode: 0o755 });
        renameSync(join(directory, 'new'), path);
      },
    ],
    [
      'it was replaced by its copy',
      ({ directory, path }) => {
        copyFileSync(path, join(directory, 'new'));
        renameSync(join(directory, 'new'), path);
      },
    ],
    [
      'it is a link now',
      ({ directory, path }) => {
        renameSync(path, join(directory, 'other'));
        symlinkSync('other', path);
      },
    ],
    ['it is gone', ({ path }) => unlinkSync(path)],
  ])('%s', (_, change) => {
    const at = tool();
    const pins = programPins();
    pins.check(at.path);
    change(at);
    expect(failureOf(() => pins.check(at.path))).toEqual(untrusted);
    // The program stays untrusted after another check.
    expect(failureOf(() => pins.check(at.path))).toEqual(untrusted);
  });

  test('content of the same length and time is not missed', () => {
    const at = tool();
    const pins = programPins();
    utimesSync(at.path, 1, 1);
    pins.check(at.path);
    writeFileSync(at.path, 'two');
    utimesSync(at.path, 1, 1);
    expect(failureOf(() => pins.check(at.path))).toEqual(untrusted);
  });
});

describe('a program that can be executed and not read', () => {
  const ordinary = 4711;

  /** Root can read every file, so the check runs as another user. */
  function asOrdinaryUser<Value>(act: () => Value): Value {
    if (process.geteuid?.() !== 0) return act();
    process.seteuid?.(ordinary);
    try {
      return act();
    } finally {
      process.seteuid?.(0);
    }
  }

  /** File times change in steps of up to 10 ms (before Linux 6.13). */
  function oldTool(mode: number): ReturnType<typeof tool> {
    const at = tool();
    chmodSync(at.directory, 0o755);
    chmodSync(at.path, mode);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return at;
  }

  function unreadable(): ReturnType<typeof tool> {
    const at = oldTool(0o111);
    expect(failureOf(() => asOrdinaryUser(() => readFileSync(at.path)))).toMatchObject({ code: 'EACCES' });
    return at;
  }

  function rewrite(path: string, content: string): void {
    chmodSync(path, 0o755);
    writeFileSync(path, content);
    chmodSync(path, 0o111);
  }

  test.each<[string, (at: ReturnType<typeof tool>) => void]>([
    ['its content is of the same length', ({ path }) => rewrite(path, 'two')],
    ['its content is of another length', ({ path }) => rewrite(path, 'three')],
    ['it can be read now', ({ path }) => chmodSync(path, 0o755)],
    [
      'it was replaced',
      ({ directory, path }) => {
        writeFileSync(join(directory, 'new'), 'one', { mode: 0o111 });
        renameSync(join(directory, 'new'), path);
      },
    ],
    ['it is gone', ({ path }) => unlinkSync(path)],
  ])('%s', (_, change) => {
    const at = unreadable();
    const pins = programPins();
    asOrdinaryUser(() => pins.check(at.path));
    expect(failureOf(() => asOrdinaryUser(() => pins.check(at.path)))).toBeUndefined();
    change(at);
    for (let times = 1; times <= 2; times += 1)
      expect(failureOf(() => asOrdinaryUser(() => pins.check(at.path)))).toEqual(untrusted);
  });

  test('since it was used before', () => {
    const at = oldTool(0o755);
    const pins = programPins();
    asOrdinaryUser(() => pins.check(at.path));
    rewrite(at.path, 'two');
    expect(failureOf(() => asOrdinaryUser(() => pins.check(at.path)))).toEqual(untrusted);
  });
});

test('what is not there is nobody’s to pin', () => {
  expect(failureOf(() => programPins().check('/no/such/program'))).toBeUndefined();
});

describe('programs of the system', () => {
  const bind = (target: string, access: 'read-only' | 'read-write'): Mount => ({
    kind: 'bind',
    source: target,
    target,
    access,
    ownership: 'as-is',
    identity: { device: '1', inode: '1', type: 'directory' },
    presence: 'required',
  });

  test('are pinned by the file that their names lead to', () => {
    const { dev, ino } = statSync('/usr/bin/env', { bigint: true });
    expect(
      pinnedPrograms(['env', 'no-such-program'], { path: '/usr/bin:/bin', mounts: [bind('/usr', 'read-only')] }),
    ).toEqual([{ path: '/usr/bin/env', identity: `${dev}:${ino}` }]);
  });

  test('are none where the box can write', () => {
    expect(pinnedPrograms(['env'], { path: '/usr/bin', mounts: [bind('/usr', 'read-write')] })).toEqual([]);
  });
});
