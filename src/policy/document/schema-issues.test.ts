import { describe, expect, test } from 'vitest';
import { problemsIn } from '../testing/policies.ts';

const told = (text: string) =>
  problemsIn(`version = 1\n${text}`).map(({ line, message, remedy }) => [line, message, remedy]);

describe('mistakes in the form of a policy', () => {
  test.each<[string, string, RegExp]>([
    ['[commands]\ndeny = "curl"', 'commands.deny has to be a list, not "curl"', /^write a list: \["curl"\]$/u],
    [
      '[files]\nread = "~/a \\"b\\""',
      'files.read has to be a list, not "~/a "b""',
      /^write a list: \["~\/a \\"b\\""\]$/u,
    ],
    [`[files]\nread = "${'x'.repeat(100)}"`, `files.read has to be a list, not "${'x'.repeat(59)}…`, /schema/u],
    ['[files]\nread = 5', 'files.read has to be a list, not 5', /schema/u],
    ['[commands]\ndeny = [""]', 'commands.deny[0] is empty', /^write something, or leave it out$/u],
    ['[commands]\ndeny = [5]', 'commands.deny[0] has to be a text, not 5', /^write "5"$/u],
    ['[limits]\nwall = 5', 'limits.wall has to be a text, not 5', /^write it in quotes, with its unit: "90s"/u],
    ['[[rules]]\nname = "a"', 'unknown key "rules"', /^write a table of its kind: \[\[file\]\]/u],
    ['[commands]\nunknown = "maybe"', 'commands.unknown has to be "ask" or "allow" or "deny", not "maybe"', /schema/u],
    ['[limits]\nprocesses = 0', 'limits.processes has to be at least 1, not 0', /schema/u],
    ['[network]\npresets = ["nmp"]', 'unknown preset "nmp"', /did you mean "npm"\?/u],
    ['commands = 5', 'commands has to be a table, not 5', /^write a table: \[commands\]$/u],
    [
      '[commands]\nunknown = "dney"',
      'commands.unknown has to be "ask" or "allow" or "deny", not "dney"',
      /^did you mean "deny"\?$/u,
    ],
    ['[limits]\nprocesses = "many"', 'limits.processes has to be a number or "none", not "many"', /schema/u],
    [
      '[[exec]]\nname = "a"\ndecision = "no"\ncommands = ["x"]',
      'exec[0].decision has to be "allow" or "audit" or "redirect" or "ask" or "deny", not "no"',
      /schema/u,
    ],
    ['[[exec]]\ndecision = "deny"\ncommands = ["x"]', '"name" is missing', /name = "…"/u],
    ['[[exec]]\nname = "a"\ncommands = ["x"]', '"decision" is missing', /decision = "allow"/u],
    ['[[exec]]\nname = "a"\ndecision = "deny"', '"commands" is missing', /^add commands = …, or exactly = \[/u],
    [
      '[[exec]]\nname = "a"\ndecision = "deny"\ncommands = "git push"',
      'exec[0].commands has to be a list, not "git push"',
      /^write a list: \["git push"\]$/u,
    ],
  ])('%j', (text, message, remedy) => {
    const [first] = told(text);
    expect(first?.[1]).toBe(message);
    expect(first?.[2]).toMatch(remedy);
    expect(first?.[0]).toBeGreaterThanOrEqual(2);
  });

  test('the version comes first', () => {
    expect(problemsIn('[files]\nread = []').map(({ message, remedy }) => [message, remedy])).toEqual([
      ['"version" is missing', 'start the file with: version = 1'],
    ]);
  });

  test('all of them are reported at once', () => {
    expect(told('[commands]\ndeny = "a"\nask = [5]\nunknown = "x"').map(([line]) => line)).toEqual([3, 4, 5]);
  });
});
