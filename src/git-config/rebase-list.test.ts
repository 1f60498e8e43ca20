import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../scripts/testing/work-time.ts';
import { boxedRebase, execCommands } from './rebase-list.ts';

describe('the commands of a list', () => {
  test.each([
    ['pick 123 exec x\nexec make test\n', ['make test']],
    ['x a\n \tx\tb\nexec  c \r\nexec\nexecute d\nxy e\n# exec f\nbreak\n', ['a', 'b', 'c ']],
    ['exec a', ['a']],
    ['exec a #\rb\nx \r\r\n', ['a #\rb', '\r']],
    ['', []],
  ])('%j', (todo, commands) => {
    expect(execCommands(todo)).toEqual(commands);
  });
});

describe('a boxed list', () => {
  const words = fc.constantFrom("'", "'; ", '; ', '"', 'x', '\\', '$HOLDFAST', '||', ' ', '#', 'exec ', ')', '`', '&');
  const commandOf = fc.array(words, { minLength: 1, maxLength: 12 }).map((parts) => `c${parts.join('')}`);

  test('has no commands left, and stays as it is the second time', () => {
    fc.assert(
      fc.property(commandOf, (command) => {
        const boxed = boxedRebase(`exec ${command}\npick 1\n`, [command]);
        expect(execCommands(boxed)).toEqual([]);
        expect(boxedRebase(boxed, [command])).toBe(boxed);
        expect(boxed.split('\n').length).toBe(3);
      }),
    );
  });

  test('boxes a command with a carriage return', () => {
    const boxed = boxedRebase('exec a #\rb\n', ['a #\rb']);
    expect(boxed).toContain("exec holdfast run -- sh -c 'a #\rb'");
    expect(execCommands(boxed)).toEqual([]);
  });

  test('keeps the lines of others', () => {
    expect(boxedRebase('exec a\nexec b\n', ['b'])).toMatch(/^exec a\nexec test -n "\$HOLDFAST" \|\| /u);
  });

  test('runs nothing outside but holdfast, which gets the very command', () => {
    fc.assert(
      fc.property(commandOf, (command) => {
        const [line = ''] = boxedRebase(`exec touch /nowhere/else; ${command}\n`, [
          `touch /nowhere/else; ${command}`,
        ]).split('\n');
        const { stdout, stderr } = spawnSync(
          'sh',
          ['-c', `holdfast() { :; }; exec() { printf '%s\\n' "$@"; exit 0; }\n${line.slice('exec '.length)}`],
          { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } },
        );
        // A command that the shell cannot read makes the whole line unreadable, and nothing runs.
        if (!/syntax error|unterminated|unexpected/iu.test(stderr))
          expect(stdout).toBe(`holdfast\nrun\n--\nsh\n-c\ntouch /nowhere/else; ${command}\n`);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    'exec test -n "$HOLDFAST" || exec holdfast run -- sh -c \'a\'; b',
    'exec test -n "$HOLDFAST" || exec holdfast run -- sh -c \'a\'; a; b',
    'exec test -n "$HOLDFAST" || exec holdfast run -- sh -c \'a\' ; a',
    'x test -n "$HOLDFAST" || exec holdfast run -- sh -c \'a\'; a',
    ' exec test -n "$HOLDFAST" || exec holdfast run -- sh -c \'a\'; a',
  ])('%j only looks like one', (line) => {
    expect(execCommands(line)).toHaveLength(1);
  });
});

test.each(["'", "'; ", 'exec ', 'x\n', 'exec a\n', '\t'])('%j over and over is read in linear time', async (part) => {
  const read = (size: number): unknown => execCommands(`exec ${part.repeat(size / part.length)}`);
  expect(await growth(read, 1 << 18)).toBeLessThan(linear);
});
