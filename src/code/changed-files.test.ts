import { expect, test } from 'vitest';
import type { FileInfo, ListedFile } from '../files/index.ts';
import { changedFiles, fileStates } from './changed-files.ts';

const info = { inode: 1n, size: 2, modified: 3n, changed: 4n } as unknown as FileInfo;
const listed = (name: string, more: Partial<ListedFile> = {}): ListedFile => ({
  name,
  path: name,
  bytes: Buffer.from(name, 'latin1'),
  type: 'file',
  info,
  ...more,
});
const states = (...files: readonly ListedFile[]) => fileStates({ list: async () => [...files] }, ['*'], '.');

test('a changed file is found, even with its old size and times', async () => {
  const before = await states(
    listed('same'),
    listed('inode'),
    listed('size'),
    listed('modified'),
    listed('changed'),
    listed('type'),
    listed('gone'),
    listed('\xff'),
  );
  const other = (key: keyof FileInfo, value: unknown): Partial<ListedFile> => ({
    info: { ...info, [key]: value } as FileInfo,
  });
  const after = await states(
    listed('same'),
    listed('inode', other('inode', 9n)),
    listed('size', other('size', 9)),
    listed('modified', other('modified', 9n)),
    listed('changed', other('changed', 9n)),
    listed('type', { type: 'symlink' }),
    listed('new'),
    listed('\xfe'),
  );
  expect(changedFiles(before, after).files.map(({ name }) => name)).toEqual([
    'changed',
    'inode',
    'modified',
    'new',
    'size',
    'type',
    '\xfe',
  ]);
});

test('too many files are reported, before and after', async () => {
  const many = await states(...Array.from({ length: 2001 }, (_, number) => listed(`f${number}`)));
  const few = await states(listed('f1'));
  expect(changedFiles(few, few).searched).toBe('whole');
  expect(changedFiles(many, few).searched).toBe('limit');
  expect(changedFiles(few, many)).toMatchObject({ searched: 'limit', files: { length: 1999 } });
});
