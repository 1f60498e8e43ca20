import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadTool } from './load-tool.ts';

const manifest = (module: string, more = ''): string =>
  `name = "t"\nmodule = ${JSON.stringify(module)}\nkind = "javascript"\n${more}`;

function place(): { readonly root: string; load(text: string): ReturnType<typeof loadTool> } {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-tool-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'tool'));
  writeFileSync(join(root, 'secret'), 'secret');
  writeFileSync(join(root, 'tool/t.js'), '1');
  return {
    root,
    load: (text) => (writeFileSync(join(root, 'tool/tool.toml'), text), loadTool(join(root, 'tool/tool.toml'))),
  };
}

test('a module is read with its hash', () => {
  const sha256 = createHash('sha256').update('1').digest('hex');
  expect(place().load(manifest('t.js', `sha256 = "${sha256}"`))).toMatchObject({ sha256, language: 'javascript' });
  expect(() => place().load(manifest('t.js', `sha256 = "${'0'.repeat(64)}"`))).toThrow(
    /not the one that the manifest names/u,
  );
});

test.each(['../secret', '/etc/hostname', 'link', 'up/secret', '.', 'missing', 'fifo/x'])(
  'a module elsewhere is refused, and nothing of it told: %s',
  (module) => {
    const { root, load } = place();
    symlinkSync('../secret', join(root, 'tool/link'));
    symlinkSync('..', join(root, 'tool/up'));
    expect(() => load(manifest(module))).toThrow(expect.objectContaining({ code: 'HF_TOOL_INVALID' }));
  },
);

test('what is no regular file, or too large, is refused', () => {
  const { root, load } = place();
  mkdirSync(join(root, 'tool/directory.js'));
  expect(() => load(manifest('directory.js'))).toThrow(/no regular file/u);
  writeFileSync(join(root, 'tool/large.js'), '');
  truncateSync(join(root, 'tool/large.js'), 9 << 20);
  expect(() => load(manifest('large.js'))).toThrow(/more than the/u);
  expect(() => loadTool('/dev/zero')).toThrow(/no regular file/u);
});
