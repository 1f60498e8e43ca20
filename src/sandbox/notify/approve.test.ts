import { describe, expect, test } from 'vitest';
import { approveAll, type ApprovalRequest, type Approve } from './approve.ts';

const request = (path: string): ApprovalRequest => ({
  request: { kind: 'file', operation: 'read', path },
  verdict: { decision: 'ask', code: 'rule', rule: 'r', layer: 'user', file: 'policy.toml', line: 1, message: 'm', remedy: 'r' },
  process: 1,
});

describe('approveAll', () => {
  test('needs every one to be allowed, and asks no further after a denial', async () => {
    const asked: string[] = [];
    const approve: Approve = async ({ request: wanted }) => {
      const path = wanted.kind === 'file' ? wanted.path : '';
      asked.push(path);
      return path === '/b' ? 'deny' : 'allow';
    };
    expect(await approveAll(approve, [request('/a'), request('/b'), request('/c')])).toBe('deny');
    expect(asked).toEqual(['/a', '/b']);
    expect(await approveAll(approve, [request('/a'), request('/c')])).toBe('allow');
  });

  test('denies when nobody answers in time, when asking fails, and when the answer is none', async () => {
    expect(await approveAll(() => new Promise(() => undefined), [request('/a')], 20)).toBe('deny');
    expect(await approveAll(() => Promise.reject(new Error('no')), [request('/a')])).toBe('deny');
    expect(await approveAll(() => { throw new Error('no'); }, [request('/a')])).toBe('deny');
    expect(await approveAll((async () => 'yes') as unknown as Approve, [request('/a')])).toBe('deny');
  });
});
