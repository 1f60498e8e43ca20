import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isHoldfastError } from '../../errors/index.ts';
import { loadTool, parseManifest } from './load-tool.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

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
  'a module elsewhere is refused, without any of its content: %s',
  (module) => {
    const { root, load } = place();
    symlinkSync('../secret', join(root, 'tool/link'));
    symlinkSync('..', join(root, 'tool/up'));
    expect(() => load(manifest(module))).toThrow(expect.objectContaining({ code: 'HF_TOOL_INVALID' }));
  },
);

test('an irregular or oversized file is refused', () => {
  const { root, load } = place();
  mkdirSync(join(root, 'tool/directory.js'));
  expect(() => load(manifest('directory.js'))).toThrow(/not a regular file/u);
  writeFileSync(join(root, 'tool/large.js'), '');
  truncateSync(join(root, 'tool/large.js'), 9 << 20);
  expect(() => load(manifest('large.js'))).toThrow(/more than the/u);
  expect(() => loadTool('/dev/zero')).toThrow(/not a regular file/u);
});

const least = 'name = "t"\nmodule = "t.js"\nkind = "javascript"\n';

function problemsOf(text: string): string {
  try {
    parseManifest(text, 'tool.toml');
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'HF_TOOL_INVALID') return error.message;
    throw error;
  }
  return '';
}

test('omitted keys are empty or have their defaults', () => {
  expect(parseManifest(least, 'tool.toml')).toMatchObject({
    hosts: [],
    paths: { read: [], write: [] },
    config: {},
    memory: 256,
    deadline: 5000,
  });
  expect(parseManifest(`${least}hosts = []\n[paths]\n`, 'tool.toml')).toMatchObject({
    hosts: [],
    paths: { read: [], write: [] },
  });
});

describe('an invalid manifest', () => {
  test.each([
    ['', '"name" is missing'],
    [`${least}host = ["a.test"]`, 'unknown key "host"'],
    [`${least}[paths]\nreads = ["a"]`, 'unknown key "paths.reads"'],
    [`${least}[environment]\npass = ["A"]`, 'unknown key "environment"'],
    [`${least}hosts = "a.test"`, 'hosts has to be Array'],
    [`${least}hosts = ["*"]`, 'would open the whole network'],
    [`${least}hosts = ["https://a.test"]`, 'is a URL'],
    [`${least}memory = 0`, 'memory is less than 1'],
    [`${least}memory = 1.5`, 'memory is not a whole number'],
    [`${least}memory = -1`, 'memory is less than 1'],
    [`${least}memory = 65537`, 'memory is more than 16384'],
    [`${least}deadline = inf`, 'deadline'],
    [`${least}memory = 31`, 'pages that QuickJS itself needs'],
    [`${least}sha256 = "ABC"`, 'is not a SHA-256'],
    [`${least}entry = "run"`, 'entry is the function of a "wasm" tool'],
    [`${least.replace('javascript', 'wasm')}fuel = 1`, 'fuel counts steps of JavaScript'],
    [`${least}[paths]\nread = ["~/data"]`, 'is not expanded'],
    [`${least}[paths]\nread = [""]`, 'is empty'],
    [`${least}kind = "wasm"`, 'not valid TOML'],
    [`${least}[config]\n__proto__ = "x"`, 'TOML'],
    [least.replace('"t"', '"../t"'), 'is not a name'],
    [least.replace('javascript', 'python'), 'kind'],
    ['x'.repeat(70_000), 'more than the'],
  ])('%j: %s', (text, message) => {
    expect(problemsOf(text)).toContain(message);
  });

  test('reports all problems at once', () => {
    expect(problemsOf('memory = 0\nother = 1\n').split('\n').length).toBeGreaterThan(3);
  });

  test('never throws another error, for any content', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => least + text),
          fc.dictionary(fc.string(), fc.jsonValue()).map((value) =>
            Object.entries(value)
              .map(([key, item]) => `${JSON.stringify(key)} = ${JSON.stringify(item)}`)
              .join('\n'),
          ),
        ),
        (text) => void problemsOf(text),
      ),
      { numRuns: rounds(500) },
    );
  });
});
