import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isHoldfastError } from '../../errors/index.ts';
import { parseManifest } from './parse-manifest.ts';

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

test('what is left out is nothing', () => {
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

describe('a manifest that is wrong', () => {
  test.each([
    ['', '"name" is missing'],
    [`${least}host = ["a.test"]`, 'unknown key "host"'],
    [`${least}[paths]\nreads = ["a"]`, 'unknown key "paths.reads"'],
    [`${least}[environment]\npass = ["A"]`, 'unknown key "environment"'],
    [`${least}hosts = "a.test"`, 'hosts has to be Array'],
    [`${least}hosts = ["*"]`, 'would open the whole network'],
    [`${least}hosts = ["https://a.test"]`, 'is a URL'],
    [`${least}memory = 0`, 'memory is less than 1'],
    [`${least}memory = 1.5`, 'memory is no whole number'],
    [`${least}memory = -1`, 'memory is less than 1'],
    [`${least}memory = 65537`, 'memory is more than 16384'],
    [`${least}deadline = inf`, 'deadline'],
    [`${least}memory = 31`, 'pages that QuickJS itself needs'],
    [`${least}sha256 = "ABC"`, 'is no SHA-256'],
    [`${least}entry = "run"`, 'entry is the function of a "wasm" tool'],
    [`${least.replace('javascript', 'wasm')}fuel = 1`, 'fuel counts steps of JavaScript'],
    [`${least}[paths]\nread = ["~/data"]`, 'no shell replaces'],
    [`${least}[paths]\nread = [""]`, 'is empty'],
    [`${least}kind = "wasm"`, 'no valid TOML'],
    [`${least}[config]\n__proto__ = "x"`, 'TOML'],
    [least.replace('"t"', '"../t"'), 'is no name'],
    [least.replace('javascript', 'python'), 'kind'],
    ['x'.repeat(70_000), 'more than the'],
  ])('%j: %s', (text, message) => {
    expect(problemsOf(text)).toContain(message);
  });

  test('says everything at once', () => {
    expect(problemsOf('memory = 0\nother = 1\n').split('\n').length).toBeGreaterThan(3);
  });

  test('never ends in another error, whatever it holds', () => {
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
      { numRuns: 500 },
    );
  });
});
