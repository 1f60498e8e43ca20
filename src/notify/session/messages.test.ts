import { describe, expect, test } from 'vitest';
import { settledCommands } from './messages.ts';

const push = { program: '/usr/bin/git', argv: ['git', 'push', 'origin'] };

const others = [
  { ...push, argv: ['git', 'push', 'origin', '--force'] },
  { ...push, argv: ['git', 'push'] },
  { ...push, argv: ['git', 'origin', 'push'] },
  { ...push, program: '/srv/project/git' },
  { ...push, program: '/usr/bin/gitk' },
];

describe('a command that was approved on entry', () => {
  test('is recognised under any argv[0]', () => {
    expect(settledCommands([push]).isApproved(push)).toBe(true);
    expect(settledCommands([push]).isApproved({ ...push, argv: ['/usr/bin/git', 'push', 'origin'] })).toBe(true);
  });

  test.each(others)('%j is another command', (other) => {
    expect(settledCommands([push]).isApproved(other)).toBe(false);
  });

  test('keeps words apart', () => {
    expect(
      settledCommands([{ program: '/usr/bin/git', argv: ['git', 'a b'] }]).isApproved({
        program: '/usr/bin/git',
        argv: ['git', 'a', 'b'],
      }),
    ).toBe(false);
  });

  test('may be added later', () => {
    const settled = settledCommands([]);
    expect(settled.isApproved(push)).toBe(false);
    settled.add([push]);
    expect(settled.isApproved(push)).toBe(true);
  });
});

describe('a command that replaced another one', () => {
  const settled = settledCommands([{ ...push, insteadOf: ['git', 'status'] }]);

  test('is judged by the words of the replaced one, and is not approved', () => {
    expect(settled.judgedAs(push)).toEqual(['git', 'status']);
    expect(settled.isApproved(push)).toBe(false);
  });

  test.each(others)('%j is judged by its own words', (other) => {
    expect(settled.judgedAs(other)).toBeUndefined();
  });

  test('may be added later', () => {
    const later = settledCommands([push]);
    expect(later.judgedAs(push)).toBeUndefined();
    later.add([{ ...push, insteadOf: ['git', 'log'] }]);
    expect(later.judgedAs(push)).toEqual(['git', 'log']);
  });
});
