import { describe, expect, test } from 'vitest';
import { namesAddresses, parseHostPattern } from '../../patterns/host-pattern.ts';
import { isPresetName, presetNames, presets } from './index.ts';

test('the presets that people ask for are there', () => {
  expect(presetNames).toEqual(
    expect.arrayContaining(['npm', 'pypi', 'github', 'debian', 'llm-apis', 'crates', 'go', 'maven', 'docker-hub']),
  );
  expect(presetNames.length).toBeGreaterThanOrEqual(20);
});

test('names are short words, each once', () => {
  expect(new Set(presetNames).size).toBe(presetNames.length);
  for (const name of presetNames) expect(name).toMatch(/^[a-z][a-z-]{1,20}$/);
});

test.each([
  ['npm', true],
  ['NPM', false],
  ['', false],
  ['toString', false],
  ['__proto__', false],
  ['constructor', false],
])('%j is a preset: %s', (name, expected) => {
  expect(isPresetName(name)).toBe(expected);
});

describe.each(presetNames)('%s', (name) => {
  const { purpose, sources, hosts } = presets[name];

  test('says what it is for and where that is written', () => {
    expect(purpose).toMatch(/^.{8,}$/);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(source).toMatch(/^https:\/\/[\w.-]+\/?/);
  });

  test('names public hosts with one port each, and why', () => {
    expect(hosts.length).toBeGreaterThan(0);
    for (const { pattern, reason } of hosts) {
      const parsed = parseHostPattern(pattern);
      if (parsed.kind === 'problem') throw new Error(`${pattern}: ${parsed.message}`);
      expect(parsed.ports?.from, pattern).toBe(parsed.ports?.to);
      expect([22, 80, 443], pattern).toContain(parsed.ports?.from);
      expect(['exact', 'subdomains'], pattern).toContain(parsed.host.kind);
      expect(namesAddresses(parsed), pattern).toBe(false);
      expect(pattern, 'a name with a registered ending').toMatch(/\.[a-z]{2,}:\d+$/);
      expect(pattern).not.toMatch(/\.(?:internal|local|localhost|test|example):/);
      expect(reason).toMatch(/\w/);
    }
  });

  test('names no host twice', () => {
    expect(new Set(hosts.map(({ pattern }) => pattern)).size).toBe(hosts.length);
  });
});

test('no preset opens a place where uploads of everybody answer under one name', () => {
  const patterns = presetNames.flatMap((name) => presets[name].hosts.map(({ pattern }) => pattern));
  for (const shared of [
    'storage.googleapis.com:443',
    's3.amazonaws.com:443',
    '*.s3.amazonaws.com:443',
    '*.amazonaws.com:443',
    '*.githubusercontent.com:443',
    '*.blob.core.windows.net:443',
    'gist.github.com:443',
  ])
    expect(patterns).not.toContain(shared);
});
