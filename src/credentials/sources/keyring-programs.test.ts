import { describe, expect, test } from 'vitest';
import { keyringOf } from './keyring-programs.ts';

const entry = { service: 'hold "fast"', account: 'a\\b' };

function keyring(platform: NodeJS.Platform) {
  const found = keyringOf(platform);
  if (found.kind !== 'keyring') throw new Error(found.why);
  return found;
}

/** What the manuals of the programs say: secret-tool(1), security(1). No Mac has run the second. */
describe.each([
  [
    'linux',
    {
      look: ['secret-tool', 'lookup', '--', 'service', 'hold "fast"', 'account', 'a\\b'],
      store: ['secret-tool', 'store', '--label=hold "fast": a\\b', '--', 'service', 'hold "fast"', 'account', 'a\\b'],
      clear: ['secret-tool', 'clear', '--', 'service', 'hold "fast"', 'account', 'a\\b'],
      input: 'EXAMPLE-secret',
    },
  ],
  [
    'darwin',
    {
      look: ['/usr/bin/security', 'find-generic-password', '-w', '-s', 'hold "fast"', '-a', 'a\\b'],
      store: ['/usr/bin/security', '-i'],
      clear: ['/usr/bin/security', 'delete-generic-password', '-s', 'hold "fast"', '-a', 'a\\b'],
      input: 'add-generic-password -U -s "hold \\"fast\\"" -a "a\\\\b" -X 4558414d504c452d736563726574\n',
    },
  ],
] as const)('the keyring of %s', (platform, { look, store, clear, input }) => {
  test('is asked in the words of its program', () => {
    const { look: looking, store: storing, clear: clearing } = keyring(platform);
    const questions = [looking(entry), storing(entry, 'EXAMPLE-secret'), clearing(entry)];
    expect(questions.map(({ program, words }) => [program, ...words])).toEqual([look, store, clear]);
  });

  test('gets the secret by stdin and by nothing else', () => {
    const question = keyring(platform).store(entry, 'EXAMPLE-secret');
    expect(question.input).toBe(input);
    const { input: _, ...rest } = question;
    expect(JSON.stringify(rest)).not.toMatch(/EXAMPLE|4558414d/u);
  });
});
