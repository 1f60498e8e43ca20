import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import { openFile } from './mount-point.ts';
import { hostSide, lookUpEntry } from './side.ts';

function scratch(): string {
  const directory = mkdtempSync('/var/tmp/holdfast-host-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function bind(target: string): Mount {
  const { dev, ino } = statSync(target, { bigint: true });
  return {
    kind: 'bind',
    source: target,
    target,
    access: 'read-write',
    ownership: 'as-is',
    identity: { device: String(dev), inode: String(ino), type: 'directory' },
    presence: 'required',
  };
}

describe('the host below the mounts of a plan', () => {
  test('is the mounted directory, even after an exchange', () => {
    const directory = scratch();
    const root = join(directory, 'ws');
    mkdirSync(root);
    writeFileSync(join(root, 'a'), 'planned');
    const host = hostSide([bind(root)]);
    renameSync(root, join(directory, 'old'));
    mkdirSync(root);
    writeFileSync(join(root, 'a'), 'exchanged!');
    expect(lookUpEntry(host, `${root}/a`)?.size).toBe(7n);
  });

  test('is refused if it was exchanged before', () => {
    const root = join(scratch(), 'ws');
    mkdirSync(root);
    const planned = bind(root);
    renameSync(root, `${root}.old`);
    mkdirSync(root);
    writeFileSync(join(root, 'a'), '');
    expect(() => openFile(hostSide([planned]), `${root}/a`, { flags: 0, mode: 0 })).toThrow(/ESTALE/u);
  });

  test('is never reached through a symlink, and opens only files', () => {
    const root = scratch();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/file'), '');
    symlinkSync('d', join(root, 'link'));
    symlinkSync('d/file', join(root, 'last'));
    const host = hostSide([bind(root)]);
    for (const path of ['link/file', 'last', '../etc/passwd', 'd/../../../etc/passwd'])
      expect(() => openFile(host, `${root}/${path}`, { flags: 0, mode: 0 }), path).toThrow(/ELOOP|EXDEV/u);
    expect(openFile(host, `${root}/d`, { flags: 0, mode: 0 })).toBeUndefined();
  });

  test('ends where the box has files of its own', () => {
    const host = hostSide([
      { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 0 },
      { kind: 'proc', target: '/proc' },
      { kind: 'directory', target: '/home/dev', mode: 0o755 },
      { kind: 'mask', target: '/home/dev/masked', type: 'file' },
    ]);
    expect(
      ['/tmp/x', '/tmp', '/proc/1', '/tmpfile', '/home/dev/masked', '/srv/data'].map((path) => host.isShared(path)),
    ).toEqual([false, false, false, true, true, true]);
  });
});
