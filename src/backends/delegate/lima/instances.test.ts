import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstances } from './instances.ts';

test('one instance a line, with what it shares', () => {
  const lines = [
    { name: 'default', status: 'Running', dir: '/Users/me/.lima/default', config: { mounts: [{ location: '~', writable: null }, { location: '/tmp/lima', writable: true }] } },
    { name: 'old', status: 'Stopped' },
    { name: '--help', status: 'Running' },
    { name: 'a b', status: 'Running' },
    { name: 'odd', status: 'Running', config: { mounts: [{ location: 5 }] } },
  ];
  const text = ['level=warning', ...lines.map((line) => JSON.stringify(line)), ''].join('\n');
  expect(parseInstances(text)).toEqual([
    { name: 'default', status: 'Running', mounts: [{ location: '~', writable: null }, { location: '/tmp/lima', writable: true }] },
    { name: 'old', status: 'Stopped', mounts: [] },
  ]);
});

test('hostile output tells of no instance and ends nothing', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => Array.isArray(parseInstances(text))));
  expect(parseInstances('['.repeat(100_000))).toEqual([]);
});
