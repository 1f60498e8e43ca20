import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HoldfastError } from '../../errors/index.ts';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { handOverName, handOverText, readHandOver } from './hand-over.ts';

const refused = expect.objectContaining({ code: 'HF_USAGE' }) as Error;

function written(content: string): string {
  const file = join(scratchDirectory(), handOverName);
  writeFileSync(file, content);
  return file;
}

test('another session reads the phantoms that one hands over', () => {
  const environment = { TOKEN: 'phantom' };
  const file = { kind: 'file', target: '/home/me/.netrc', mode: 0o600, content: 'password phantom\n' } as const;
  expect(readHandOver(written(handOverText({ environment, files: [file] })), 'none')).toEqual({
    environment,
    files: [file],
  });
});

test.each([
  ['a path that leads up', { environment: {}, files: [{ target: '/home/../etc/a', content: '' }] }],
  ['a relative path', { environment: {}, files: [{ target: 'a', content: '' }] }],
  ['a path with a null byte', { environment: {}, files: [{ target: '/a\0b', content: '' }] }],
  ['a variable that is no name', { environment: { 'A=B': 'c' }, files: [] }],
  ['a field that nobody knows', { environment: {}, files: [], mounts: [] }],
])('refuses %s', (_, value) => {
  expect(() => readHandOver(written(JSON.stringify(value)), 'none')).toThrow(refused);
});

test('refuses a FIFO, a directory, a missing file and an endless one, and waits for none', () => {
  const directory = scratchDirectory();
  const fifo = join(directory, 'fifo');
  execFileSync('mkfifo', [fifo]);
  for (const file of [fifo, directory, join(directory, 'missing'), '/dev/zero'])
    expect(() => readHandOver(file, 'none')).toThrow(refused);
});

test('reads or refuses any text, and never fails in another way', () => {
  const file = written('');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.jsonValue().map((value) => JSON.stringify(value)),
      ),
      (text) => {
        writeFileSync(file, text);
        try {
          readHandOver(file, 'none');
        } catch (error) {
          expect(error).toBeInstanceOf(HoldfastError);
        }
      },
    ),
  );
});

test('a policy with credentials of its own takes no phantoms of another session', () => {
  expect(() => readHandOver(written(handOverText({ environment: {}, files: [] })), 'some')).toThrow(
    'the policy has credentials of its own',
  );
});
