import { describe, expect, test } from 'vitest';
import type { FileAccess } from '../../policy/request.ts';
import { policyIn } from '../testing/policy-in.ts';
import { fromReadable } from '../view/byte-text.ts';
import { judgeFiles } from './judge-files.ts';
import { outOfReach } from './rule-reach.ts';

const rule = (decision: string, path: string, more = ''): string =>
  `[[file]]\nname = "r${Buffer.from(path).toString('hex')}"\ndecision = "${decision}"\npaths = ["${path}"]\n${more}\n`;
const policy = policyIn(
  '/srv/project',
  [
    rule('ask', 'asked'),
    rule('stage', 'a/kept'),
    rule('redirect', '~/led', 'redirect_to = "spare"'),
    rule('audit', 'seen/**/*.sql'),
    rule('deny', '/opt/Denied'),
    rule('allow', 'allowed'),
    rule('ask', 'b/müde/straße'),
  ].join('\n'),
);
const isOut = outOfReach(policy);

describe('outOfReach', () => {
  test.each([
    ['/srv/project/plain', true],
    ['/srv/project', true],
    ['/', true],
    ['/srv/project/asked', false],
    ['/srv/project/asked/a/b', false],
    ['/srv/project/asked2', true],
    ['/srv/project/a', true],
    ['/srv/project/b/anything', false],
    ['/srv/project/a/kept/x', false],
    ['/home/dev/led', false],
    ['/home/dev/other', true],
    ['/srv/project/seen/x.txt', false],
    ['/srv/project/allowed/x', true],
    ['/opt/Denied/x', false],
  ])('%s: %s', (path, expected) => {
    expect(isOut(path)).toBe(expected);
  });

  test('restrictions also cover other spellings', () => {
    expect(isOut('/srv/project/ASKED/a')).toBe(false);
    expect(isOut('/opt/denied')).toBe(false);
    // LATIN SMALL LETTER LONG S is another spelling of `s`, so paths with non-ASCII letters are never out of reach.
    expect(isOut(fromReadable('/srv/project/a\u017fked'))).toBe(false);
    expect(isOut(fromReadable('/srv/project/b/müde/straße'))).toBe(false);
    expect(isOut('/srv/project/x')).toBe(true);
  });

  test('a rule about a name anywhere reaches everything, and so do very many rules', () => {
    expect(outOfReach(policyIn('/srv/project', rule('audit', '**/*.sql')))('/etc/passwd')).toBe(false);
    const many = Array.from({ length: 40 }, (_, index) => rule('ask', `asked${index}`)).join('\n');
    expect(outOfReach(policyIn('/srv/project', many))('/etc/passwd')).toBe(false);
  });

  test('everything is out of reach without a rule', () => {
    expect(outOfReach(policyIn('/srv/project', ''))('/srv/project/x')).toBe(true);
  });

  test('no path is out of reach that the policy does not leave to the kernel', () => {
    const names = [
      'asked',
      'Asked',
      'a',
      'kept',
      'seen',
      'x.sql',
      'led',
      'srv',
      'project',
      'opt',
      'denied',
      'home',
      'dev',
      'm\u00fcde',
      'stra\u00dfe',
      'x',
    ];
    const operations: readonly FileAccess[] = ['read', 'write', 'create', 'delete'];
    const wrong: string[] = [];
    let far = 0;
    for (let seed = 1; seed < 20_000; seed += 1) {
      const below = ['/srv/project', '/home/dev', ''][seed % 3] ?? '';
      const path = fromReadable(
        `${below}/${names[(seed * 7919) % names.length] ?? ''}/${names[(seed * 104_729 + (seed >> 4)) % names.length] ?? ''}`,
      );
      if (!isOut(path)) continue;
      far += 1;
      // A directory above a file cannot be removed with it. That would be a deletion, not an open.
      if (
        judgeFiles(
          policy,
          operations.filter((operation) => operation !== 'delete').map((operation) => ({ operation, path })),
        ).some(({ treatment, verdict }) => treatment !== 'kernel' && verdict.code === 'rule')
      )
        wrong.push(path);
    }
    expect(wrong).toEqual([]);
    expect(far).toBeGreaterThan(1000);
  });
});
