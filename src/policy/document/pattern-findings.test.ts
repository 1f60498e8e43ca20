import { describe, expect, test } from 'vitest';
import { parsePolicy } from './parse.ts';

function told(text: string): readonly (readonly [message: string, remedy: string])[] {
  const parsed = parsePolicy(`version = 1\n${text}`, { file: 'policy.toml' });
  return parsed.kind === 'document' ? [] : parsed.problems.map(({ message, remedy }) => [message, remedy]);
}

describe('the program of a command pattern', () => {
  test.each([
    ['\u0441url', /^"\u0441url" looks like "curl", but is a different name$/u],
    ['g\u0456t push', /looks like "git"/u],
    ['\uff47\uff49\uff54', /looks like "git"/u],
    ['rm\u0416', /^"rm\u0416" mixes letters of several alphabets \(Latin\+Cyrillic\)$/u],
    ['$TOOL x', /^"\$TOOL" is not a program/u],
    ['${TOOL}', /^"\$\{TOOL\}" is not a program/u],
  ])('%s is reported', (command, message) => {
    for (const text of [
      `[commands]\ndeny = ['${command}']`,
      `[commands]\nallow = ['${command}']`,
      `[[exec]]\nname = "a"\ndecision = "ask"\ncommands = ['${command}']`,
    ]) {
      expect(told(text)).toEqual([[expect.stringMatching(message), expect.stringMatching(/^write /u)]]);
    }
  });

  test.each(['curl', 'git push', 'программа x', 'echo \u0441url', 'f?o', '7z', 'a$b', '/opt/bücher/run', '检查', '*'])(
    '%s is one',
    (command) => {
      expect(told(`[commands]\ndeny = ['${command}']`)).toEqual([]);
    },
  );
});

describe('every kind of pattern has its own words', () => {
  test.each<[string, RegExp, RegExp]>([
    ['[files]\nread = ["../x"]', /\.\./u, /\w/u],
    ['[network]\nhosts = ["*"]', /"\*"/u, /any/u],
    ['[network]\nhosts = ["a.test:99999"]', /99999/u, /port/u],
    [
      '[[dns]]\nname = "a"\ndecision = "deny"\nnames = ["a.test:53"]',
      /names a port, but a look-up has none/u,
      /leave the port out/u,
    ],
    ['[network]\nca = ["ca.pem"]', /is not one file outside the workspace/u, /absolute path/u],
    ['[environment]\npass = ["A-B"]', /is not the name of a variable/u, /letters, digits/u],
    ['[[signal]]\nname = "a"\ndecision = "deny"\nsignals = ["kill it"]', /is not the name of a signal/u, /SIGTERM/u],
    [
      '[[connect]]\nname = "a"\ndecision = "deny"\nhosts = ["x.test"]\nports = ["http"]',
      /is not a port/u,
      /1 to 65535/u,
    ],
    ['[commands]\ndeny = ["a | b"]', /shell syntax "\|"/u, /one command/u],
    ['[commands]\ndeny = ["git \'push"]', /open quote/u, /close the quote/u],
    ['[tools]\ndeny = ["a\\u0001b"]', /control character/u, /leave it out/u],
  ])('%j', (text, message, remedy) => {
    const [first] = told(text);
    expect(first?.[0]).toMatch(message);
    expect(first?.[1]).toMatch(remedy);
  });

  test('all of a file are reported, with their places', () => {
    const parsed = parsePolicy(
      'version = 1\n[commands]\ndeny = [\n  "a | b",\n  "ok",\n  "$X",\n]\n[environment]\npass = ["A-B"]',
      { file: 'policy.toml' },
    );
    expect(parsed.kind === 'problems' ? parsed.problems.map(({ line }) => line) : []).toEqual([4, 6, 9]);
  });
});
