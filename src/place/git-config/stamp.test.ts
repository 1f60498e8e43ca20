import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdFiles, stampFile, stampListing } from './stamp.ts';

test('a directory in place of a file may change, and a listed one may not', () => {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-stamp-'));
  try {
    const path = join(root, 'directory');
    mkdirSync(path);
    const [read, listed] = [stampFile(path), stampListing(path)];
    expect([holdFiles([read]), holdFiles([listed])]).toEqual([true, true]);
    writeFileSync(join(path, 'new'), '');
    expect([holdFiles([read]), holdFiles([listed])]).toEqual([true, false]);
    rmSync(path, { recursive: true });
    expect(holdFiles([read])).toBe(false);
    writeFileSync(path, 'content');
    expect(holdFiles([read])).toBe(false);
  } finally {
    rmSync(root, { recursive: true });
  }
});
