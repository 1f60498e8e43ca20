import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { withLock } from '../src/audit/lock.ts';
import { Sandbox } from '../src/sandbox/index.ts';
import { backends, Project } from './lib/holdfast.ts';

let project: Project;

beforeEach(() => {
  project = new Project();
});

afterEach(() => project[Symbol.dispose]());

/**
 * Another process writes to the journal for this many seconds: long enough for a command that does not wait to leave
 * its marker.
 */
function writeElsewhere(seconds: number): void {
  const { pid = 0 } = spawn('sleep', [String(seconds)], { stdio: 'ignore' });
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const [place] = withLock(`${journal()}.lock`, () => readlinkSync(`${journal()}.lock`)).split('.');
  symlinkSync([place, pid, start, 1].join('.'), `${journal()}.lock`);
}

function journal(): string {
  return join(project.state, 'journal.jsonl');
}

/** The test needs two entries or more. */
function cut(): void {
  writeFileSync(journal(), `${readFileSync(journal(), 'utf8').split('\n')[0]}\n`);
}

/** Boxes of this process. */
function launchers(): number {
  return Number(spawnSync('pgrep', ['-c', '-P', String(process.pid), 'holdfast-launc'], { encoding: 'utf8' }).stdout);
}

const marker = (): boolean => existsSync(join(project.workspace, 'marker'));

describe.each(backends)('%s: a command', (backend) => {
  test('does not start before the journal has its start', { timeout: 60_000 }, async () => {
    expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
    writeElsewhere(3);
    const child = project.start(['run', '--backend', backend, '--', 'touch', 'marker']);
    const ended = once(child, 'exit');
    await wait(2000);
    expect(marker()).toBe(false);
    expect(await ended).toEqual([0, null]);
    expect(marker()).toBe(true);
  });

  test('never starts if the journal cannot record its start, however late that is known', {
    timeout: 60_000,
  }, async () => {
    expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
    cut();
    writeElsewhere(2);
    const child = project.start(['run', '--backend', backend, '--', 'touch', 'marker']);
    expect(await once(child, 'exit')).toEqual([125, null]);
    expect(marker()).toBe(false);
  });
});

describe('a session of the library', () => {
  test('runs nothing in a waiting box after damage to the journal, leaves no box behind, and runs again after the repair', {
    timeout: 60_000,
  }, async () => {
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
    });
    expect((await sandbox.commands.run(['true'])).exitCode).toBe(0);
    // The supervisor builds the next box meanwhile.
    await expect.poll(launchers).toBe(1);
    await wait(500);
    cut();
    writeElsewhere(2);
    await expect((async () => sandbox.commands.run(['touch', 'marker']))()).rejects.toMatchObject({
      code: 'HF_JOURNAL_FAILED',
    });
    await wait(500);
    expect(marker()).toBe(false);
    expect(launchers()).toBe(0);
    expect(project.holdfast(['audit', 'repair']).status).toBe(0);
    expect((await sandbox.commands.run(['touch', 'marker'])).exitCode).toBe(0);
    expect(marker()).toBe(true);
    expect(readEvents(journal()).map(({ type }) => type)).toEqual(['journal.begun', 'session.start', 'session.end']);
  });
});
