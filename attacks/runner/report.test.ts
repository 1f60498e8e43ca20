import { expect, test } from 'vitest';
import type { Result } from './perform.ts';
import { resultLines, totalsLine, totalsOf } from './report.ts';
import { attackTable } from './table.ts';

const base: Result = {
  name: 'fs-x[a|b]',
  family: 'fs',
  title: 'Reads <x>',
  source: 'a | b',
  user: 'root',
  backend: 'native',
  control: 'worked',
  outcome: { kind: 'passed' },
};
const failed: Result = { ...base, user: 'user', outcome: { kind: 'failed', reasons: ['one', 'two'] } };
const skipped: Result = {
  ...base,
  name: 'fs-y',
  backend: 'bubblewrap',
  control: 'failed',
  outcome: { kind: 'skipped', reason: 'no such call' },
};

test('one line for each result, and one for each reason', () => {
  expect(resultLines(base)).toBe('blocked  fs-x[a|b]  (native, root)');
  expect(resultLines(failed)).toBe('FAILED   fs-x[a|b]  (native, user)\n         one\n         two');
  expect(resultLines(skipped)).toBe('SKIPPED  fs-y  (bubblewrap, root): no such call');
});

const open: Result = { ...base, name: 'fs-z', outcome: { kind: 'open', gap: 'no mechanism yet' } };

test('a known gap is loud, and counts neither as passed nor as failed', () => {
  expect(resultLines(open)).toBe(
    'OPEN     fs-z  (native, root): it succeeds in the box, which is known: no mechanism yet',
  );
  expect(totalsOf([open])).toEqual({ passed: 0, failed: 0, skipped: 1, refused: 0 });
  expect(attackTable([open], 'Linux 6.1')).toContain('## Open: these succeed, and why\n\n- `fs-z`: no mechanism yet\n');
});

const refused: Result = {
  ...base,
  name: 'fs-w',
  backend: 'landlock',
  outcome: { kind: 'refused', missing: ['fs.stage'], message: 'it cannot' },
};

test('a refused box is counted separately, and named with the missing guarantee', () => {
  expect(resultLines(refused)).toBe('REFUSED  fs-w  (landlock, root): without fs.stage: it cannot');
  expect(totalsLine(totalsOf([refused, base]))).toBe('1 passed, 0 failed, 0 skipped, 1 refused');
  const page = attackTable([base, refused, { ...refused, name: 'fs-v' }], 'Linux 6.1');
  expect(page).toContain(
    '## Refused: boxes that a backend cannot enforce\n\n- landlock, without fs.stage: `fs-w`, `fs-v`\n',
  );
  expect(page).toContain('| refused | – |');
});

test('a backend that does not work here is named once, and has no column', () => {
  const absent = (name: string): Result => ({
    ...base,
    name,
    backend: 'gvisor',
    outcome: { kind: 'skipped', reason: 'not installed' },
  });
  const page = attackTable([base, absent('fs-a'), absent('fs-b')], 'Linux 6.1');
  expect(page.split('not installed')).toHaveLength(2);
  expect(page).toContain('- everything on gvisor: not installed');
  expect(page).not.toContain('gvisor, root');
});

test('the last line counts', () => {
  expect(totalsLine(totalsOf([base, failed, skipped, base]))).toBe('2 passed, 1 failed, 1 skipped, 0 refused');
});

test('the table has a row for each attack, with its successes and skips', () => {
  const lines = attackTable([base, failed, skipped], 'Linux 6.1').split('\n');
  expect(lines).toContain(
    '| `fs-x[a\\|b]` | Reads &lt;x> | a \\| b | succeeds / succeeds | blocked | **failed** | – | – |',
  );
  expect(lines).toContain('| `fs-y` | Reads &lt;x> | a \\| b | does not work here / – | – | – | skipped | – |');
  expect(lines).toContain('- `fs-y`, root: no such call');
});

test('families of which a backend has nothing are named, and no backend that has nothing at all', () => {
  const page = attackTable(
    [base, { ...base, name: 'net-x', family: 'net' }, { ...base, backend: 'gvisor' }],
    'Linux 6.1',
  );
  expect(page).toContain('\n\n- `net-*`: not tried on gvisor.\n\n');
  expect(page.split(': not tried on')).toHaveLength(2);
});
