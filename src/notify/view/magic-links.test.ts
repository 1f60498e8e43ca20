import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { atFdcwd, kernelCall, openAt, oPath } from '../../kernel/index.ts';
import { throughProcess } from './magic-links.ts';

const directory = mkdtempSync('/var/tmp/holdfast-links-');
const root = openAt(atFdcwd, '/', { flags: oPath });
const own = `/proc/${process.pid}`;
const file = join(directory, 'tool');
writeFileSync(file, '');
const descriptor = openSync(file, 'r');
const gone = openSync(join(directory, 'gone'), 'w');
unlinkSync(join(directory, 'gone'));
afterAll(() => {
  for (const each of [root, descriptor, gone]) closeSync(each);
  rmSync(directory, { recursive: true });
});

describe('throughProcess', () => {
  test.each(['/usr/bin/git', '/proc/cpuinfo', '/proc/self/exe', '/procs/1/exe', '/srv/proc/1/exe', '/'])(
    '%s stays the same',
    (path) => {
      expect(throughProcess(root, path)).toBe(path);
    },
  );

  test('leads to the file of a descriptor', () => {
    expect(throughProcess(root, `${own}/fd/${descriptor}`)).toBe(file);
    expect(throughProcess(root, `/${own}//fd/${descriptor}`)).toBe(file);
    expect(throughProcess(root, `${own}/task/${process.pid}/fd/${descriptor}`)).toBe(file);
  });

  test('leads to the program, the working directory and the root of a process', () => {
    expect(throughProcess(root, `${own}/exe`)).toBe(realpathSync(process.execPath));
    expect(throughProcess(root, `${own}/cwd/bin/x`)).toBe(`${process.cwd()}/bin/x`);
    expect(throughProcess(root, `${own}/root/usr/bin/curl`)).toBe('//usr/bin/curl');
  });

  test('continues from the place where it has led', () => {
    expect(throughProcess(root, `${own}/root${own}/fd/${descriptor}`)).toBe(file);
    expect(throughProcess(root, `${own}/root`.repeat(41))).toBeUndefined();
  });

  test('finds no name for a file without one', () => {
    const memory = kernelCall('memfd_create', 'tool', 0);
    expect(throughProcess(root, `${own}/fd/${memory}`)).toBeUndefined();
    closeSync(memory);
    expect(throughProcess(root, `${own}/fd/${gone}`)).toBeUndefined();
    expect(throughProcess(root, `${own}/fd/987654`)).toBeUndefined();
    expect(throughProcess(root, '/proc/4194303/exe')).toBeUndefined();
  });
});
