import { describe, expect, test } from 'vitest';
import { innerOf } from './loader-word.ts';

describe('the dynamic loader runs its argument', () => {
  test.each([
    '/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2',
    '/lib64/ld-2.31.so',
    '/lib/ld-musl-x86_64.so.1',
    '/usr/bin/ld.so',
    '/lib/ld-linux-aarch64.so.1',
    '/lib/ld-linux.so.2',
  ])('%s', (loader) => {
    expect(innerOf(loader, ['x', '/usr/bin/curl', '-V'])).toEqual({
      program: '/usr/bin/curl',
      argv: ['/usr/bin/curl', '-V'],
    });
  });

  test.each([
    [
      ['ld.so', '--library-path', '/x', './p', 'a'],
      ['./p', 'a'],
    ],
    [['ld.so', '--inhibit-cache', '--argv0', 'ls', './p'], ['./p']],
    [
      ['ld.so', '--preload', 'a.so', '--audit', 'b.so', './p', '--list'],
      ['./p', '--list'],
    ],
  ])('%j runs %j', (argv, inner) => {
    expect(innerOf('/usr/bin/ld.so', argv)).toEqual({ program: inner[0], argv: inner });
  });

  test.each([[['ld.so']], [['ld.so', '--help']], [['ld.so', '--argv0', 'x']]])('%j runs nothing', (argv) => {
    expect(innerOf('/usr/bin/ld.so', argv)).toBeUndefined();
  });

  test.each(['/usr/bin/ld', '/usr/bin/ld.gold', '/home/dev/build.so', '/usr/bin/gold.so'])(
    '%s is not a loader',
    (program) => {
      expect(innerOf(program, ['x', '/usr/bin/curl'])).toBeUndefined();
    },
  );
});

describe('a multi-call binary is the tool that its words name', () => {
  test.each([
    ['/usr/bin/busybox', ['busybox', 'rm', '-r'], { program: 'rm', argv: ['rm', '-r'] }],
    ['/opt/bin/toybox', ['/opt/bin/toybox', 'wget'], { program: 'wget', argv: ['wget'] }],
    ['/usr/bin/coreutils', ['coreutils', '--coreutils-prog=rm', '-r'], { program: 'rm', argv: ['rm', '-r'] }],
    ['/usr/bin/coreutils', ['coreutils', '--coreutils-prog-shebang=rm', 'x'], { program: 'rm', argv: ['rm', 'x'] }],
  ])('%s %j', (program, argv, inner) => {
    expect(innerOf(program, argv)).toEqual(inner);
  });

  test.each([
    ['/usr/bin/busybox', ['busybox']],
    ['/usr/bin/busybox', ['busybox', '--list']],
    ['/usr/bin/busybox', ['rm', 'wget']],
    ['/usr/bin/env', ['env', 'rm']],
  ])('%s %j is itself', (program, argv) => {
    expect(innerOf(program, argv)).toBeUndefined();
  });
});
