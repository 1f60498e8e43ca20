import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StatePaths } from './host/state-paths.ts';
import { readPolicyTexts, readPolicyText } from './policy-texts.ts';
import { plant, scratchDirectory } from './testing/scratch.ts';

const unreadable = (reason: string) =>
  expect.objectContaining({
    code: 'HF_POLICY_UNREADABLE',
    message: expect.stringContaining(reason),
    remedy: reason === 'not a regular file' ? 'name a file' : expect.stringContaining('UTF-8'),
  });

const writable = (message: string, remedy: string) =>
  expect.objectContaining({
    code: 'HF_POLICY_UNREADABLE',
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
  });

describe('readPolicyTexts', () => {
  test('reads existing files, in the order of authority', () => {
    const directory = scratchDirectory();
    plant(directory, { 'managed.toml': '# 1', 'user.toml': '# 2', 'ws/holdfast.toml': '# 3 ü' });
    const paths = {
      managedPolicy: join(directory, 'managed.toml'),
      userPolicy: join(directory, 'user.toml'),
    } as StatePaths;
    expect(readPolicyTexts(paths, join(directory, 'ws')).map(({ kind, text }) => [kind, text])).toEqual([
      ['managed', '# 1'],
      ['user', '# 2'],
      ['project', '# 3 ü'],
    ]);
    expect(readPolicyTexts({ ...paths, managedPolicy: join(directory, 'none') }, directory)).toMatchObject([
      { kind: 'user', file: join(directory, 'user.toml') },
    ]);
  });
});

describe('readText', () => {
  test('has nothing where there is no file, nor a directory for it', () => {
    const directory = scratchDirectory();
    writeFileSync(join(directory, 'file'), '');
    expect(readPolicyText('project', join(directory, 'none'))).toBeUndefined();
    expect(readPolicyText('user', join(directory, 'none/none/none'))).toBeUndefined();
    expect(readPolicyText('user', join(directory, 'file/none'))).toBeUndefined();
  });

  test('follows a link: settings are often kept elsewhere', () => {
    const directory = scratchDirectory();
    plant(directory, { 'dotfiles/policy.toml': 'x' });
    symlinkSync('dotfiles/policy.toml', join(directory, 'policy.toml'));
    expect(readPolicyText('user', join(directory, 'policy.toml'))?.text).toBe('x');
  });

  // Attacks: an unreadable policy that counts as missing, or one that never ends.
  test.each([
    ['a link to nowhere', 'ENOENT', (at: string) => symlinkSync('nowhere', at)],
    ['a link to itself', 'ELOOP', (at: string) => symlinkSync('policy.toml', at)],
    ['a directory', 'not a regular file', (at: string) => mkdirSync(at)],
    ['a FIFO', 'not a regular file', (at: string) => execFileSync('mkfifo', [at])],
    ['a device without end', 'not a regular file', (at: string) => symlinkSync('/dev/zero', at)],
    ['a terminal', 'not a regular file', (at: string) => symlinkSync('/dev/ptmx', at)],
    ['invalid UTF-8', 'UTF-8', (at: string) => writeFileSync(at, Buffer.from([0x23, 0xff]))],
  ] as const)('refuses %s', (_what, reason, make) => {
    const at = join(scratchDirectory(), 'policy.toml');
    make(at);
    expect(() => readPolicyText('project', at)).toThrow(unreadable(reason));
  });

  // Attack: another user of the machine writes a wider policy.
  test.each(['user', 'managed'] as const)('refuses a %s policy file that every user can write', (kind) => {
    const at = join(scratchDirectory(), 'policy.toml');
    writeFileSync(at, '# open');
    chmodSync(at, 0o666);
    expect(() => readPolicyText(kind, at)).toThrow(writable(`every user can write ${at}`, `chmod o-w ${at}`));
    chmodSync(at, 0o664);
    expect(readPolicyText(kind, at)?.text).toBe('# open');
  });

  test('refuses one in a directory that every user can write, unless it is sticky', () => {
    const directory = scratchDirectory();
    plant(directory, { 'open/policy.toml': '# open' });
    const at = join(directory, 'open/policy.toml');
    chmodSync(dirname(at), 0o777);
    expect(() => readPolicyText('user', at)).toThrow(
      writable(`every user can write ${dirname(at)}`, `chmod o-w ${dirname(at)}`),
    );
    chmodSync(dirname(at), 0o1777);
    expect(readPolicyText('user', at)?.text).toBe('# open');
  });

  test.each([
    ['a directory above it', (directory: string) => join(directory, 'open')],
    ['the directory that its link leads to', (directory: string) => join(directory, 'dotfiles')],
    ['a directory with a link between', (directory: string) => join(directory, 'between')],
  ] as const)('refuses one where every user can write %s', (_what, open) => {
    const directory = scratchDirectory();
    plant(directory, { 'dotfiles/policy.toml': '# open', 'open/holdfast/other': '', 'between/other': '' });
    symlinkSync('../dotfiles', join(directory, 'between/way'));
    const at = join(directory, 'open/holdfast/policy.toml');
    symlinkSync('../../between/way/policy.toml', at);
    expect(readPolicyText('user', at)?.text).toBe('# open');
    chmodSync(open(directory), 0o777);
    expect(() => readPolicyText('user', at)).toThrow(
      writable(`every user can write ${open(directory)}`, `chmod o-w ${open(directory)}`),
    );
  });

  test('refuses one whose way is gone before Holdfast has looked at it', () => {
    const at = join(scratchDirectory(), 'policy.toml');
    writeFileSync(at, '# gone');
    const fd = openSync(at, 'r');
    rmSync(at);
    try {
      // The file can be opened, but has no name.
      expect(() => readPolicyText('user', `/proc/self/fd/${fd}`)).toThrow(unreadable('it was replaced'));
    } finally {
      closeSync(fd);
    }
  });

  test('reads a project policy that every user can write: a project only narrows', () => {
    const at = join(scratchDirectory(), 'holdfast.toml');
    writeFileSync(at, '# narrow');
    chmodSync(at, 0o666);
    expect(readPolicyText('project', at)?.text).toBe('# narrow');
  });

  test('refuses more than a megabyte without reading it', () => {
    const at = join(scratchDirectory(), 'policy.toml');
    execFileSync('truncate', ['-s', '100G', at]);
    expect(() => readPolicyText('project', at)).toThrow(expect.objectContaining({ code: 'HF_POLICY_TOO_LARGE' }));
  });
});
