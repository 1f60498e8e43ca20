import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { atFdcwd, pointer } from '../../kernel/index.ts';
import { callerMemory } from '../listener/caller-memory.ts';
import { openFlags } from '../perform/open-flags.ts';
import { policyIn } from '../testing/policy-in.ts';
import { openBoxView } from '../view/box-view.ts';
import type { SupervisorOptions } from './context.ts';
import { passedLately, quickOpens } from './quick-opens.ts';

const rules = `
[files]
read = ["."]
write = ["."]
[[file]]
name = "asked"
decision = "ask"
paths = ["asked"]
operations = ["read"]
[[file]]
name = "seen"
decision = "audit"
paths = ["below/*.sql"]
`;

/** Asks about opens of this process itself. */
function setting() {
  const workspace = mkdtempSync('/var/tmp/holdfast-quick-');
  for (const name of ['asked', 'below', 'plain']) {
    mkdirSync(join(workspace, name));
    for (const file of ['a.txt', 'a.sql']) writeFileSync(join(workspace, name, file), '');
  }
  symlinkSync('../asked/a.txt', join(workspace, 'plain/link'));
  symlinkSync('plain', join(workspace, 'way'));
  const view = openBoxView(process.pid);
  onTestFinished(() => {
    view.close();
    rmSync(workspace, { recursive: true });
  });
  const quick = quickOpens(
    { options: { policy: policyIn(workspace, rules) } as SupervisorOptions, memory: callerMemory(), view },
    passedLately(),
  );
  const pass = (path: string, { flags = 0, directory = atFdcwd } = {}): boolean => {
    const bytes = Buffer.from(`${path}\0`);
    const passes = quick.pass(
      { id: 1n, thread: process.pid, call: 0, args: [] },
      { kind: 'open', at: { directory, address: pointer(bytes), end: 'follow' }, flags, mode: 0 },
    );
    return passes && bytes.length > 0;
  };
  return { workspace, quick, pass };
}

test('passes a path without a rule, each time and under all its names', () => {
  const { workspace, pass } = setting();
  const directory = openSync(join(workspace, 'plain'), 'r');
  onTestFinished(() => closeSync(directory));
  for (let round = 0; round < 5; round += 1) {
    for (const path of ['plain/a.txt', 'plain/absent', 'way/a.sql', 'plain/../plain/a.txt', 'below/a.txt'])
      expect(pass(join(workspace, '/', path))).toBe(true);
    expect([
      pass('a.txt', { directory }),
      pass('absent', { directory }),
      pass('../plain/a.txt', { directory }),
    ]).toEqual([true, true, true]);
  }
});

test('passes nothing that leads to a place of a rule, whatever passed before', () => {
  const { workspace, pass } = setting();
  const directory = openSync(join(workspace, 'plain'), 'r');
  onTestFinished(() => closeSync(directory));
  for (let round = 0; round < 40; round += 1) {
    pass(join(workspace, `plain/f${round}`));
    for (const path of ['asked/a.txt', 'asked/absent', 'below/a.sql', 'plain/link', 'way/link', 'way/../asked/a.txt'])
      expect([path, pass(`${workspace}/${path}`)]).toEqual([path, false]);
    expect([pass('link', { directory }), pass('../asked/a.txt', { directory })]).toEqual([false, false]);
  }
});

test('passes only reads below a place of a rule: the supervisor may have to do the writes', () => {
  const { workspace, pass } = setting();
  for (let round = 0; round < 5; round += 1) {
    expect(pass(join(workspace, 'below/a.txt'))).toBe(true);
    expect(pass(join(workspace, 'below/a.txt'), { flags: openFlags.readWrite })).toBe(false);
    expect(pass(join(workspace, 'below/a.txt'), { flags: openFlags.truncate })).toBe(false);
    expect(pass(join(workspace, 'asked/a.txt'), { flags: openFlags.writeOnly })).toBe(false);
    expect(pass(join(workspace, 'plain/a.txt'), { flags: openFlags.writeOnly })).toBe(true);
  }
});

test('does not answer for names that depend on the caller, nor for unreadable ones', () => {
  const { pass } = setting();
  for (const path of ['/proc/self/environ', '/dev/stdin', '/dev/fd/0', '', '//proc/self/environ'])
    expect([path, pass(path)]).toEqual([path, false]);
  expect(pass('x', { directory: 9999 })).toBe(false);
});

test('does not pass a name that became a symlink, after a call of forget', () => {
  const { workspace, quick, pass } = setting();
  for (let index = 0; index < 5; index += 1) expect(pass(join(workspace, `plain/f${index}`))).toBe(true);
  symlinkSync('../asked/a.txt', join(workspace, 'plain/new'));
  quick.forget();
  expect(pass(join(workspace, 'plain/new'))).toBe(false);
});

test('remembers a path for a quarter of a second, until a change, and not without bound', () => {
  let now = 1000;
  const passed = passedLately(() => now);
  passed.add('0/a');
  expect([passed.has('0/a'), passed.has('1/a')]).toEqual([true, false]);
  now += 249;
  expect(passed.has('0/a')).toBe(true);
  now += 1;
  expect(passed.has('0/a')).toBe(false);
  passed.add('0/a');
  passed.forget();
  expect(passed.has('0/a')).toBe(false);
  for (let index = 0; index < 5000; index += 1) passed.add(`0/${index}`);
  expect([passed.has('0/0'), passed.has('0/4999')]).toEqual([false, true]);
});
