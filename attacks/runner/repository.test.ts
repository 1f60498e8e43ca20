import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { layOutRepository, parseRepository } from './repository.ts';

describe('parseRepository', () => {
  test('reads files between markers, and skips the text before the first', () => {
    expect(parseRepository('a comment\n-- a/b.txt --\none\n\n-- run --\n#!/bin/sh\n:\n')).toEqual([
      { name: 'a/b.txt', text: 'one\n\n', mode: 0o644 },
      { name: 'run', text: '#!/bin/sh\n:\n', mode: 0o755 },
    ]);
  });

  test('takes only whole lines for markers', () => {
    expect(parseRepository('-- a --\nx -- b --\n--c--\n')).toEqual([
      { name: 'a', text: 'x -- b --\n--c--\n', mode: 0o644 },
    ]);
  });

  test.each(['../a', 'a/../../b', '/etc/a'])('refuses the name %s', (name) => {
    expect(() => parseRepository(`-- ${name} --\n`)).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
  });
});

describe('layOutRepository', () => {
  const root = mkdtempSync(join(tmpdir(), 'scenario-'));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test('writes the files with values in them, and the code that must not run', () => {
    layOutRepository('-- .mcp.json --\n{"a": "$CANARY", "b": "$HOME"}\n-- x/y --\n#!/bin/sh\n', root, { CANARY: 'c1' });
    expect(readFileSync(join(root, '.mcp.json'), 'utf8')).toBe('{"a": "c1", "b": "$HOME"}\n');
    expect(statSync(join(root, 'x/y')).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(root, 'trip.sh'), 'utf8')).toContain('c1-$ROW-');
  });
});
