import { describe, expect, test } from 'vitest';
import { interpreterOf } from './programs.ts';

describe('interpreterOf', () => {
  test.each([
    ['#!/bin/sh\n', { path: '/bin/sh' }],
    ['#! /bin/sh\necho', { path: '/bin/sh' }],
    ['#!\t/bin/sh\t-e\t\n', { path: '/bin/sh', argument: '-e' }],
    ['#!/usr/bin/env -S git push --force\n', { path: '/usr/bin/env', argument: '-S git push --force' }],
    ['#!/usr/bin/env node', { path: '/usr/bin/env', argument: 'node' }],
    ['#!tool/run x\n', { path: 'tool/run', argument: 'x' }],
    ['#!/bin/sh -e \n', { path: '/bin/sh', argument: '-e' }],
  ])('%j', (start, interpreter) => {
    expect(interpreterOf(start)).toEqual(interpreter);
  });

  test.each(['', '#', '# !/bin/sh', '\x7fELF', ' #!/bin/sh', '#!', '#!\n/bin/sh', '#! \t\n'])(
    '%j has no interpreter',
    (start) => {
      expect(interpreterOf(start)).toBeUndefined();
    },
  );

  test('reads no further than the kernel', () => {
    expect(interpreterOf(`#!/${'x'.repeat(400)} y`)).toEqual({ path: `/${'x'.repeat(253)}` });
  });
});
