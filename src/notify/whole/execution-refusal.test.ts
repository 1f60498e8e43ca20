import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import type { ProtectedName } from '../../plan/types.ts';
import { supervised } from '../testing/supervised.ts';

const named = (components: readonly string[], effect: ProtectedName['effect']): ProtectedName => ({
  components,
  effect,
  except: [],
  scope: 'anywhere',
  reason: 'test',
});

function shown(path: string): Mount {
  const { dev, ino } = statSync(path, { bigint: true });
  return {
    kind: 'bind',
    source: path,
    target: path,
    access: 'read-write',
    ownership: 'as-is',
    identity: { device: String(dev), inode: String(ino), type: 'directory' },
    presence: 'required',
  };
}

test('a hidden, withheld or outside file is not executed, by any name or as an interpreter', async () => {
  const directory = mkdtempSync('/var/tmp/holdfast-exec-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const workspace = join(directory, 'ws');
  mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
  for (const name of ['plain', '.env', 'AGENTS.md', '.git/hooks/x', '../outside'])
    copyFileSync('/bin/echo', join(workspace, name));
  linkSync(join(workspace, '.env'), join(workspace, 'second'));
  symlinkSync('.env', join(workspace, 'link'));
  writeFileSync(join(workspace, 'script'), `#!${workspace}/.env\n`, { mode: 0o755 });
  const { dev, ino } = lstatSync(join(workspace, '.env'), { bigint: true });
  const protection = {
    roots: [workspace],
    shownRoots: [],
    gitDirectories: [],
    names: [named(['.env'], 'hidden'), named(['AGENTS.md'], 'withheld'), named(['.git', 'hooks'], 'read-only')],
    guarded: [],
    released: [],
    withholding: [workspace],
  };
  const whole = {
    found: [{ path: join(workspace, '.env'), identity: `${dev}:${ino}`, how: 'hidden', symlink: 'none' } as const],
    protection,
  };
  const run = ['plain', '.git/hooks/x', '.env', 'AGENTS.md', 'second', 'link', 'script', '../outside']
    .map((name) => `./${name} ran 2>/dev/null; echo $?`)
    .join('; ');
  // Holdfast starts the first program that is executed.
  const { output } = await supervised({
    workspace,
    policy: '',
    calls: ['execve', 'execveat'],
    groups: ['executions'],
    mounts: [shown('/usr'), shown(workspace)],
    whole,
    argv: ['/usr/bin/sh', '-c', `/usr/bin/sh -c '${run}'`],
  });
  expect(output).toBe('ran\n0\nran\n0\n126\n126\n126\n126\n126\n127\n');
});

test.each(['./.env', './script'])('nor is it executed on entry: %s', async (program) => {
  const workspace = mkdtempSync('/var/tmp/holdfast-exec-');
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  copyFileSync('/bin/echo', join(workspace, '.env'));
  writeFileSync(join(workspace, 'script'), `#!${workspace}/.env\n`, { mode: 0o755 });
  const protection = {
    roots: [workspace],
    shownRoots: [],
    gitDirectories: [],
    names: [named(['.env'], 'hidden')],
    guarded: [],
    released: [],
    withholding: [],
  };
  const { output } = await supervised({
    workspace,
    policy: '',
    calls: ['execve'],
    groups: ['executions'],
    mounts: [shown(workspace)],
    whole: { found: [], protection },
    argv: [program, 'ran'],
  });
  expect(output).not.toContain('ran');
});

test('an approved program is executed until its content changes', async () => {
  const workspace = mkdtempSync('/var/tmp/holdfast-exec-');
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const content = '#!/usr/bin/sh\necho ran\n';
  const others = {
    same: content,
    changed: content.replace('ran', 'Ran'),
    longer: `${content} `,
    shorter: content.slice(1),
    empty: '',
  };
  for (const [name, text] of Object.entries(others)) writeFileSync(join(workspace, name), text, { mode: 0o755 });
  linkSync(join(workspace, 'same'), join(workspace, 'second'));
  writeFileSync(join(workspace, 'through'), `#!${workspace}/changed\n`, { mode: 0o755 });
  const approved = [...Object.keys(others), 'gone'].map(
    (name): Mount => ({ kind: 'file', target: join(workspace, name), mode: 0o555, content }),
  );
  const protection = {
    roots: [workspace],
    shownRoots: [],
    gitDirectories: [],
    names: [],
    guarded: [],
    released: [],
    withholding: [],
  };
  const run = [...Object.keys(others), 'gone', 'second', 'through']
    .map((name) => `./${name} 2>/dev/null; echo $?`)
    .join('; ');
  const { output } = await supervised({
    workspace,
    policy: '',
    calls: ['execve', 'execveat'],
    groups: ['executions'],
    mounts: [shown('/usr'), shown(workspace), ...approved],
    whole: { found: [], protection },
    argv: ['/usr/bin/sh', '-c', `/usr/bin/sh -c '${run}'`],
  });
  expect(output).toBe('ran\n0\n126\n126\n126\n126\n127\nran\n0\n126\n');
});
