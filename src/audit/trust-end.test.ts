import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { longestEntry } from './chunks.ts';
import { freshJournal } from './testing/scratch.ts';
import { findTip } from './trust-end.ts';

test('a last line that is longer than any entry is refused, and not taken for an empty journal', () => {
  const file = freshJournal();
  mkdirSync(dirname(file));
  writeFileSync(file, '');
  truncateSync(file, longestEntry + 1);
  const fd = openSync(file, 'r');
  try {
    expect(() => findTip(fd, longestEntry + 1)).toThrow('its last line is longer than any entry');
  } finally {
    closeSync(fd);
  }
});
