import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Place } from '../place/place.ts';
import { SessionCalls } from './call-judge.ts';

let runtime: string;
beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'holdfast-calls-'));
});
afterEach(() => rmSync(runtime, { recursive: true, force: true }));

const placeOf = (workspace: string): Place =>
  ({ paths: { runtime }, workspace: { root: workspace } }) as unknown as Place;
const calls = (workspace = '/srv/ws'): SessionCalls => new SessionCalls(placeOf(workspace));
const directory = (): string => join(runtime, readdirSync(runtime)[0] ?? '');
const startOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';

describe('the calls in a session of an agent', () => {
  test('are known to every server of the workspace, once, and to no other workspace', () => {
    const [one, other, elsewhere] = [calls(), calls(), calls('/srv/other')];
    one.note('files/read');
    one.note('files/read');
    other.note('mail/send');
    for (const each of [one, other]) expect([...each.all()].toSorted()).toEqual(['files/read', 'mail/send']);
    expect(elsewhere.all()).toEqual([]);
  });

  test('stay after the calling process ends, as long as another one lives', () => {
    const living = spawn('sleep', ['60']);
    calls();
    writeFileSync(join(directory(), `${living.pid}-${startOf(living.pid ?? 0)}`), '');
    writeFileSync(join(directory(), '4194303-1'), '"files/read"\n');
    rmSync(join(directory(), `${process.pid}-${startOf(process.pid)}`));
    expect(calls().all()).toEqual(['files/read']);
    living.kill();
  });

  test('are forgotten when no process lives any more, even if its number was reused', () => {
    calls();
    rmSync(join(directory(), `${process.pid}-${startOf(process.pid)}`));
    for (const name of ['4194303-1', `${process.pid}-1`]) writeFileSync(join(directory(), name), '"files/read"\n');
    expect(calls().all()).toEqual([]);
    expect(existsSync(join(directory(), '4194303-1'))).toBe(false);
  });

  test('are read up to the last complete line, and a malformed line is an error', () => {
    const own = calls();
    own.note('files/read');
    const file = join(directory(), `${process.pid}-${startOf(process.pid)}`);
    appendFileSync(file, '"files/wri');
    expect(own.all()).toEqual(['files/read']);
    appendFileSync(file, 'te"\nno json\n');
    expect(() => own.all()).toThrow(expect.objectContaining({ code: 'HF_STATE_UNWRITABLE' }));
  });

  test('leave nothing after the last server has ended', () => {
    const living = spawn('sleep', ['60']);
    const own = calls();
    writeFileSync(join(directory(), `${living.pid}-${startOf(living.pid ?? 0)}`), '');
    own.close();
    expect(readdirSync(directory())).toHaveLength(2);
    rmSync(join(directory(), `${living.pid}-${startOf(living.pid ?? 0)}`));
    living.kill();
    own.close();
    expect(readdirSync(runtime)).toEqual([]);
  });

  test('are an error if they cannot be stored', () => {
    rmSync(runtime, { recursive: true });
    writeFileSync(runtime, '');
    expect(() => calls()).toThrow(expect.objectContaining({ code: 'HF_STATE_UNWRITABLE' }));
  });
});
