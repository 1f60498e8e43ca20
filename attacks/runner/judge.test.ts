import { describe, expect, test } from 'vitest';
import { controlProblem, judgeOpen, judgeProtected, judgeRefusing, lastLine, type Performance } from './judge.ts';

const held: Performance = {
  runs: [{ kind: 'ran' }],
  verified: 'attack failed',
  rows: { succeeded: [], untried: [], grant: 'none' },
  residue: [],
  log: '',
};

describe('judgeProtected', () => {
  test('an attack that ran, failed and left nothing is blocked', () => {
    expect(judgeProtected(held)).toEqual({ kind: 'passed' });
  });

  test.each([
    [{ verified: 'attack succeeded' }, 'the attack succeeded inside the box'],
    [
      { runs: [{ kind: 'refused' }], log: 'holdfast: no box\ngrep: x\n' },
      'Holdfast refused to start the box: holdfast: no box',
    ],
    [
      { runs: [{ kind: 'never began', exitCode: 127 }], log: 'a\nb\n' },
      'the attack never began in the box (exit 127): b',
    ],
    [{ runs: [{ kind: 'timed out' }] }, 'the box did not end in time'],
    [{ residue: ['mount /x'] }, 'left behind: mount /x'],
  ] as const)('%o is a failure', (change, reason) => {
    expect(judgeProtected({ ...held, ...change })).toEqual({ kind: 'failed', reasons: [reason] });
  });

  test('a row that succeeded or was not tried is a failure, by name', () => {
    const { kind, ...rest } = judgeProtected({
      ...held,
      rows: { succeeded: ['hex', 'granted'], untried: ['octal'], grant: 'used' },
      log: 'no python',
    });
    expect({ kind, ...rest }).toEqual({
      kind: 'failed',
      reasons: ['the attack succeeded inside the box', 'this row of it: hex', 'its row octal was not tried: no python'],
    });
  });

  test('an attack that failed where even the granted row fails proves nothing', () => {
    const rows: Performance['rows'] = { succeeded: [], untried: [], grant: 'broken' };
    expect(judgeProtected({ ...held, rows, log: 'curl: (7)' })).toEqual({
      kind: 'failed',
      reasons: ['what the policy allows did not work either: curl: (7)'],
    });
    expect(judgeProtected({ ...held, rows: { succeeded: ['granted'], untried: [], grant: 'used' } })).toEqual({
      kind: 'passed',
    });
  });

  test('the second box of a two-run attack may be refused, the first not', () => {
    expect(judgeProtected({ ...held, runs: [{ kind: 'ran' }, { kind: 'refused' }] })).toEqual({ kind: 'passed' });
    expect(judgeProtected({ ...held, runs: [{ kind: 'refused' }, { kind: 'ran' }] }).kind).toBe('failed');
    expect(judgeProtected({ ...held, runs: [{ kind: 'ran' }, { kind: 'never began', exitCode: 1 }] }).kind).toBe(
      'failed',
    );
  });

  test('all reasons are given', () => {
    expect(judgeProtected({ ...held, verified: 'attack succeeded', residue: ['a', 'b'] })).toEqual({
      kind: 'failed',
      reasons: ['the attack succeeded inside the box', 'left behind: a', 'left behind: b'],
    });
  });
});

describe('judgeRefusing', () => {
  const log =
    'a\nholdfast: the landlock backend cannot enforce here: fs.stage, ipc\nholdfast: to fix it: use another [HF_GUARANTEE_MISSING]\n';
  const refused: Performance = { ...held, runs: [{ kind: 'refused' }], log };

  test('a box that the backend cannot enforce was refused, for want of the guarantees that it names', () => {
    expect(judgeRefusing(refused)).toEqual({
      kind: 'refused',
      missing: ['fs.stage', 'ipc'],
      message: 'the landlock backend cannot enforce here: fs.stage, ipc',
    });
  });

  test('a box requested from outside counts as refused, even after the attack began', () => {
    expect(
      judgeRefusing({ ...refused, runs: [{ kind: 'ran' }], rows: { succeeded: [], untried: ['a'], grant: 'none' } })
        .kind,
    ).toBe('refused');
  });

  test.each([
    [{ log: log.replace('fs.stage, ipc', 'something') }],
    [{ log: log.replace('HF_GUARANTEE_MISSING', 'HF_LAUNCHER_FAILED') }],
    [{ log: '' }],
    [{ verified: 'attack succeeded' }],
    [{ residue: ['process 1'] }],
    [{ rows: { succeeded: ['a'], untried: [], grant: 'none' } }],
    [{ runs: [{ kind: 'timed out' }] }],
  ] as const)('a refusal that is none is a failure: %j', (change) => {
    expect(judgeRefusing({ ...refused, ...change }).kind).toBe('failed');
  });

  test('an attack inside the box is judged as usual', () => {
    expect(judgeRefusing({ ...held, log })).toEqual({ kind: 'passed' });
    expect(judgeRefusing({ ...held, log, verified: 'attack succeeded' }).kind).toBe('failed');
  });
});

describe('judgeOpen', () => {
  test('an attack that is known to succeed is open while it does', () => {
    expect(
      judgeOpen({ kind: 'failed', reasons: ['the attack succeeded inside the box', 'left behind: x'] }, 'why'),
    ).toEqual({ kind: 'open', gap: 'why' });
  });

  test('it fails the run once it is blocked, or when it was not even tried', () => {
    expect(judgeOpen({ kind: 'passed' }, 'why').kind).toBe('failed');
    expect(judgeOpen({ kind: 'failed', reasons: ['the box did not end in time'] }, 'why').kind).toBe('failed');
    expect(judgeOpen({ kind: 'skipped', reason: 'x' }, 'why').kind).toBe('skipped');
  });
});

describe('controlProblem', () => {
  test('a successful control has no reason, with any remains', () => {
    expect(controlProblem({ ...held, verified: 'attack succeeded', residue: ['process 1'] })).toBeUndefined();
  });

  test.each([
    [held, 'the control could not succeed here: no message'],
    [
      { ...held, log: 'mknod: Operation not permitted\n' },
      'the control could not succeed here: mknod: Operation not permitted',
    ],
    [{ ...held, verified: 'attack succeeded', runs: [{ kind: 'timed out' }] }, 'the control did not end in time'],
  ] as const)('%o', (performance, problem) => {
    expect(controlProblem(performance)).toBe(problem);
  });
});

test('a control has to succeed in every row', () => {
  const performance: Performance = { ...held, rows: { succeeded: ['a', 'b'], untried: [], grant: 'none' } };
  expect(controlProblem(performance, ['a', 'b'])).toBeUndefined();
  expect(controlProblem(performance, ['a', 'b', 'c'])).toBe(
    'the control could not succeed here in these rows: c: no message',
  );
});

test('lastLine', () => {
  expect(lastLine(' a\n b \n\n')).toBe('b');
  expect(lastLine('')).toBe('');
});
