import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import { policyFrom } from './testing/policies.ts';
import { file } from './testing/requests.ts';

const everything = policyFrom({ user: '[files]\nwrite = ["/"]' });

describe('deleting a tree', () => {
  test.each(['/', '/etc', '/home'])('%s is refused for lying outside the workspace', (path) => {
    const { code, message, remedy } = decide(policyFrom(), file('delete', path));
    expect([code, message]).toEqual([
      'not-granted',
      `deleting ${path} is refused: it is outside the workspace, and nothing in the policy grants it`,
    ]);
    expect(remedy).toBe('nothing would allow it: it holds a credential store, and these never enter the box');
  });

  test.each(['/', '/etc', '~'])('%s that is granted is refused for the credential stores in it', (path) => {
    const { decision, code, message } = decide(everything, file('delete', path));
    expect([decision, code]).toEqual(['deny', 'credential-store']);
    expect(message).toContain('is refused: it holds a credential store (');
  });

  test('with a protected name is refused for that name', () => {
    expect(decide(everything, file('delete', '/srv/out/.git')).message).toContain('it is a protected path (');
  });

  test('with a credential store, or a file in it, is refused for that reason', () => {
    for (const policy of [policyFrom(), everything])
      for (const path of ['~/.ssh', '~/.ssh/id_ed25519']) {
        const { code, message } = decide(policy, file('delete', path));
        expect([code, message]).toEqual(['credential-store', expect.stringContaining('it is a credential store (')]);
      }
  });

  test('a tree that is merely not granted can be granted', () => {
    expect(decide(policyFrom(), file('delete', '/srv/out')).remedy).toBe(
      'add files.write = ["/srv/out"] to ~/.config/holdfast/policy.toml, or run with --write /srv/out',
    );
  });
});
