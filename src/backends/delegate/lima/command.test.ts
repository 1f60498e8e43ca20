import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInstances, toLimaGuest } from './command.ts';

const mounts = [
  { location: '~' },
  { location: '~/src/', writable: true },
  { location: '/Volumes/a b', mountPoint: '/data', writable: true },
  { location: '/tmp/lima', mountPoint: '', writable: true },
  { location: 'relative', writable: true },
  { location: '{{.Home}}/x', mountPoint: '/x', writable: true },
];
const home = '/Users/me';

describe('toLimaGuest', () => {
  test.each([
    ['/Users/me/src/p', '/Users/me/src/p', 'writable'],
    ['/Users/me/src', '/Users/me/src', 'writable'],
    ['/Users/me', '/Users/me', 'read-only'],
    ['/Users/me/srcs', '/Users/me/srcs', 'read-only'],
    ['/Volumes/a b/c\'d"\n$x', '/data/c\'d"\n$x', 'writable'],
    ['/tmp/lima', '/tmp/lima', 'writable'],
  ])('%j', (path, there, access) => {
    expect(toLimaGuest(path, mounts, home)).toEqual({ kind: 'mapped', path: there, access });
  });

  test.each([
    '/Users/mee',
    '/Users',
    '/',
    '/data',
    '/users/me',
    '',
    'src',
    '~/src',
    '/Users/me/../you',
    '/Users/me/./x',
    '/Users/me//x',
    '/Users/me/x/',
    '/Users/me/a\0b',
    '/Volumes',
  ])('%j is not there', (path) => {
    expect(toLimaGuest(path, mounts, home).kind).toBe('unmapped');
  });

  test('paths below another mount of the guest are absent', () => {
    const hiding = [
      { location: '/a', writable: true },
      { location: '/b', mountPoint: '/a/b', writable: true },
    ];
    expect(toLimaGuest('/a/c', hiding, home)).toEqual({ kind: 'mapped', path: '/a/c', access: 'writable' });
    expect(toLimaGuest('/a/b/c', hiding, home).kind).toBe('unmapped');
    expect(toLimaGuest('/b/c', hiding, home)).toEqual({ kind: 'mapped', path: '/a/b/c', access: 'writable' });
  });
});

test('each line is one instance, with its shares', () => {
  const lines = [
    {
      name: 'default',
      status: 'Running',
      dir: '/Users/me/.lima/default',
      config: {
        mounts: [
          { location: '~', writable: null },
          { location: '/tmp/lima', writable: true },
        ],
      },
    },
    { name: 'old', status: 'Stopped' },
    { name: '--help', status: 'Running' },
    { name: 'a b', status: 'Running' },
    { name: 'odd', status: 'Running', config: { mounts: [{ location: 5 }] } },
  ];
  const text = ['level=warning', ...lines.map((line) => JSON.stringify(line)), ''].join('\n');
  expect(parseInstances(text)).toEqual([
    {
      name: 'default',
      status: 'Running',
      mounts: [
        { location: '~', writable: null },
        { location: '/tmp/lima', writable: true },
      ],
    },
    { name: 'old', status: 'Stopped', mounts: [] },
  ]);
});

test('hostile output tells of no instance and ends nothing', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => Array.isArray(parseInstances(text))));
  expect(parseInstances('['.repeat(100_000))).toEqual([]);
});
