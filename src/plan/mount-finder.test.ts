import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithin } from './is-within.ts';
import { mountFinder } from './mount-finder.ts';
import type { Mount } from './types.ts';

const mounts: readonly Mount[] = [
  { kind: 'directory', target: '/', mode: 0o755 },
  { kind: 'tmpfs', target: '/srv', mode: 0o755, size: 0 },
  { kind: 'mask', target: '/srv/app/tool', type: 'file' },
  { kind: 'directory', target: '/srv/app', mode: 0o755 },
  { kind: 'file', target: '/srv/app/tool', mode: 0o444, content: '' },
  { kind: 'symlink', target: '/srv/link', to: '/usr' },
];
const kindAt = (path: string, from = mounts): string | undefined => mountFinder(from)(path)?.kind;

describe('what shows a path', () => {
  test.each([
    ['/', 'directory'],
    ['/etc/x', 'directory'],
    ['/srv', 'tmpfs'],
    ['/srv/x', 'tmpfs'],
    ['/srvx', 'directory'],
    ['/srv/app', 'directory'],
    ['/srv/app/x/y', 'directory'],
    ['/srv/application', 'tmpfs'],
  ])('%s: %s', (path, kind) => {
    expect(kindAt(path)).toBe(kind);
  });

  test('of two at one place is the one that was made later', () => {
    expect(kindAt('/srv/app/tool')).toBe('file');
    expect(kindAt('/srv/app/tool', mounts.toReversed())).toBe('mask');
  });

  test('is never a link, which shows nothing', () => {
    expect(kindAt('/srv/link')).toBe('tmpfs');
  });

  test('is nothing where no mount is around it', () => {
    expect(kindAt('/etc', [])).toBeUndefined();
    expect(kindAt('/etc', mounts.slice(1))).toBeUndefined();
  });

  test('is around it, and none that is around it is deeper', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    const mount = path.map((target): Mount => ({ kind: 'directory', target, mode: 0o755 }));
    fc.assert(
      fc.property(fc.array(mount), path, (many, at) => {
        const around = many.filter(({ target }) => isWithin(at, target));
        const found = mountFinder(many)(at);
        expect(found === undefined).toBe(around.length === 0);
        if (found !== undefined)
          expect(found).toBe(
            around
              .filter(({ target }) => target.length === Math.max(...around.map((each) => each.target.length)))
              .at(-1),
          );
      }),
    );
  });
});
