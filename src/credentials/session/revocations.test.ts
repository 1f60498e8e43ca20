import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { revoke, watchRevocations } from './revocations.ts';

function freshState(): { readonly state: string; readonly file: string } {
  const state = join(scratchDirectory(), 'state');
  return { state, file: join(state, 'revocations.jsonl') };
}

const watched = { session: 's1', since: 1000 };

describe('revocations', () => {
  test('are empty without a file', () => {
    expect(watchRevocations(freshState(), watched).look()).toEqual([]);
  });

  test('are seen by a session that runs, once', () => {
    const paths = freshState();
    const watch = watchRevocations(paths, watched);
    expect(watch.look()).toEqual([]);
    revoke(paths, { credential: 'github', at: 2000 });
    expect(watch.look()).toEqual([{ credential: 'github', at: 2000 }]);
    expect(watch.look()).toEqual([]);
  });

  test.each([
    ['before the session began', { credential: 'a', at: 999 }, 0],
    ['in the moment that it began', { credential: 'a', at: 1000 }, 1],
    ['in another session', { session: 's2', at: 2000 }, 0],
    ['in this session', { session: 's1', at: 2000 }, 1],
    ['of everything', { at: 2000 }, 1],
  ])('%s', (_, revocation, count) => {
    const paths = freshState();
    revoke(paths, revocation);
    expect(watchRevocations(paths, watched).look()).toHaveLength(count);
  });

  test('are seen although the clock was set back, unless they were there before', () => {
    const paths = freshState();
    revoke(paths, { credential: 'earlier', at: 1 });
    const watch = watchRevocations(paths, watched);
    revoke(paths, { credential: 'later', at: 2 });
    expect(watch.look().map(({ credential }) => credential)).toEqual(['later']);
  });

  test('are kept in a private file', () => {
    const paths = freshState();
    revoke(paths, { at: 1 });
    expect(statSync(paths.file).mode & 0o777).toBe(0o600);
    expect(statSync(paths.state).mode & 0o777).toBe(0o700);
  });

  test('add up', () => {
    const paths = freshState();
    revoke(paths, { credential: 'a', at: 2000 });
    revoke(paths, { credential: 'b', at: 3000 });
    expect(readFileSync(paths.file, 'utf8').split('\n')).toHaveLength(3);
    expect(
      watchRevocations(paths, watched)
        .look()
        .map(({ credential }) => credential),
    ).toEqual(['a', 'b']);
  });

  test.each(['{', 'null\n', '[]\n', '{"credential":"a"}\n', '{"at":"now"}\n', '\0\0\0'])(
    '%j in the file revokes everything',
    (text) => {
      const paths = freshState();
      revoke(paths, { credential: 'a', at: 2000 });
      appendFileSync(paths.file, text);
      const found = watchRevocations(paths, watched).look();
      expect(found).toHaveLength(1);
      expect(found[0]?.credential).toBeUndefined();
    },
  );

  test('survive the removal of their file', () => {
    const paths = freshState();
    const watch = watchRevocations(paths, watched);
    revoke(paths, { at: 2000 });
    expect(watch.look()).toHaveLength(1);
    writeFileSync(paths.file, '');
    expect(watch.look()).toEqual([]);
  });
});
