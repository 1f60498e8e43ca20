import { expect, test } from 'vitest';
import type { FileInfo, Files, ListedFile } from '../files/index.ts';
import { readArtifacts } from './artifacts.ts';

const listed = (name: string, size?: number): ListedFile => ({
  name,
  path: name,
  bytes: Buffer.from(name),
  type: 'file',
  ...(size === undefined ? {} : { info: { size } as FileInfo }),
});

test('too large files are not read; growing ones, one byte past the limit', async () => {
  const asked: string[] = [];
  const read = async (path: string | Uint8Array, { length = Infinity } = {}): Promise<Buffer> => {
    asked.push(`${String(path)} ${length}`);
    return Buffer.alloc(String(path) === 'grown' ? length : 10);
  };
  const { artifacts, leftOut } = await readArtifacts(
    { read } as unknown as Files,
    [listed('sparse', 100 * 2 ** 30), listed('fits', 100), listed('grown', 100), listed('unknown')],
    { maxFileBytes: 100, maxBytes: 1000 },
  );
  expect(artifacts.map(({ path }) => path)).toEqual(['fits', 'unknown']);
  expect(leftOut).toEqual([
    { path: 'sparse', reason: 'too-large' },
    { path: 'grown', reason: 'too-large' },
  ]);
  expect(asked).toEqual(['fits 101', 'grown 101', 'unknown 101']);
});
