import { closeSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  atFdcwd,
  KernelError,
  attributesOf,
  exchangeNames,
  isKernelError,
  kernelCall,
  linkAt,
  noReplace,
  oPath,
  openAt,
  removeAttribute,
  renameAt,
  resolve,
  setAttribute,
} from './index.ts';

const scratch = () => mkdtempSync('/var/tmp/holdfast-kernel-');

describe('system calls', () => {
  test('give their result', () => {
    expect(kernelCall('getpid')).toBe(process.pid);
  });

  test('fail with the name of the errno', () => {
    expect(() => kernelCall('openat', atFdcwd, '/nowhere/at/all', 0, 0)).toThrow(
      expect.objectContaining({ code: 'ENOENT', errno: 2, syscall: 'openat' }),
    );
  });

  test('refuse a text that would name another file', () => {
    expect(() => kernelCall('openat', atFdcwd, '/etc/passwd\0.txt', 0, 0)).toThrow(/EINVAL/u);
  });
});

describe('openAt', () => {
  const { beneath, noSymlinks } = resolve;
  test('refuses what leads out, and opens what does not', () => {
    const directory = scratch();
    symlinkSync('/etc', join(directory, 'out'));
    writeFileSync(join(directory, 'in'), 'text');
    const root = openAt(atFdcwd, directory, { flags: oPath | constants.O_DIRECTORY });
    expect(() => openAt(root, 'out/passwd', { flags: 0, resolve: beneath })).toThrow(/EXDEV/u);
    expect(() => openAt(root, 'out/passwd', { flags: 0, resolve: noSymlinks })).toThrow(/ELOOP/u);
    const file = openAt(root, 'in', { flags: 0, resolve: beneath });
    expect(readFileSync(file, 'utf8')).toBe('text');
    closeSync(file);
    closeSync(root);
  });
});

describe('renameAt and linkAt', () => {
  test('exchange two names, and refuse to replace', () => {
    const directory = scratch();
    const [a, b] = [join(directory, 'a'), join(directory, 'b')];
    writeFileSync(a, 'a');
    mkdirSync(b);
    renameAt({ directory: atFdcwd, name: a }, { directory: atFdcwd, name: b }, exchangeNames);
    expect(readFileSync(b, 'utf8')).toBe('a');
    expect(() => renameAt({ directory: atFdcwd, name: b }, { directory: atFdcwd, name: a }, noReplace)).toThrow(
      /EEXIST/u,
    );
    linkAt({ directory: atFdcwd, name: Buffer.from(b) }, { directory: atFdcwd, name: join(directory, 'c') });
    expect(readFileSync(join(directory, 'c'), 'utf8')).toBe('a');
  });
});

describe('attributes', () => {
  test('are set, listed and removed, short and long', () => {
    const file = join(scratch(), 'file');
    writeFileSync(file, '');
    expect(attributesOf(file)).toEqual(new Map());
    const long = Buffer.alloc(2000, 'x');
    setAttribute(file, 'user.short', Buffer.from([0, 255]));
    setAttribute(file, 'user.long', long);
    setAttribute(file, 'user.empty', Buffer.alloc(0));
    expect(attributesOf(file)).toEqual(
      new Map([
        ['user.short', Buffer.from([0, 255])],
        ['user.long', long],
        ['user.empty', Buffer.alloc(0)],
      ]),
    );
    removeAttribute(file, 'user.short');
    expect([...attributesOf(file).keys()].toSorted()).toEqual(['user.empty', 'user.long']);
    expect(() => removeAttribute(file, 'user.short')).toThrow(
      expect.toSatisfy((error) => isKernelError(error, 'ENODATA')),
    );
  });

  test('of a place that has none are empty', () => {
    expect(attributesOf('/proc/self/status')).toEqual(new Map());
  });
});

describe('an error of the kernel', () => {
  test.each([
    [2, 'ENOENT', 'ENOENT: no such file or directory, openat2'],
    [122, 'EDQUOT', 'EDQUOT: unknown error, openat2'],
    [116, 'ESTALE', 'ESTALE: unknown error, openat2'],
    [4000, 'errno 4000', 'errno 4000: unknown error, openat2'],
  ])('%i is %s', (errno, code, message) => {
    expect(new KernelError('openat2', errno)).toMatchObject({ code, message, errno, syscall: 'openat2' });
  });
});
