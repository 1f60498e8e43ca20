import { describe, expect, test } from 'vitest';
import { decide } from '../../policy/decide.ts';
import type { HttpRequest } from '../../policy/request.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import type { ConnectionApproval } from '../types.ts';
import { type RequestLine, decideRequest, type InterceptContext, httpRequestOf } from './decide-request.ts';

const policy = policyFrom({
  user: `[network]
hosts = ["api.test"]
[[http]]
name = "no-admin"
decision = "deny"
hosts = ["api.test"]
paths = ["/admin/*"]
[[http]]
name = "ask-writes"
decision = "ask"
hosts = ["api.test"]
methods = ["POST"]
[[http]]
name = "no-sockets"
decision = "deny"
hosts = ["api.test"]
schemes = ["wss"]
[[http]]
name = "elsewhere"
decision = "redirect"
redirect_to = "other.test:443"
hosts = ["api.test"]
paths = ["/old"]
`,
});

const asked: string[] = [];
const context: InterceptContext = {
  scheme: 'https',
  alpn: 'http/1.1',
  destination: { host: 'api.test', port: 443 },
  authority: {
    decide: (request) => {
      asked.push((request as HttpRequest).path);
      return decide(policy, request);
    },
    decideAddress: () => decide(policy, { kind: 'dns', name: 'x', recordType: 'A' }),
    tlsTreatment: () => 'intercept',
  },
  openUpstream: () => Promise.reject(new Error('not here')),
  interceptors: [],
  record: () => undefined,
};

const ask = (target: string, more: Partial<RequestLine> = {}) =>
  decideRequest({ method: 'GET', authority: 'api.test', target, ...more }, context);

describe('the policy decides', () => {
  test.each([
    ['/repos?admin', {}, 'no refusal'],
    ['/administrator', {}, 'no refusal'],
    ['/admin/users', {}, 'no-admin'],
    ['/%61dmin/users', {}, 'no-admin'],
    ['//admin/users', {}, 'no-admin'],
    ['/admin%2fusers', {}, 'no-admin'],
    ['/admin;jsessionid=1/users', {}, 'no-admin'],
    ['/x', { method: 'POST' }, 'ask-writes'],
    ['/x', { method: 'post' }, 'ask-writes'],
    ['/x', { upgrade: 'websocket' }, 'no-sockets'],
    ['/old', {}, 'elsewhere'],
  ] as const)('%s %j: %s', async (target, more, rule) => {
    const decided = await ask(target, more);
    expect(decided.kind === 'refused' ? decided.refusal.verdict?.rule : 'no refusal').toBe(rule);
    if (decided.kind === 'refused')
      expect(decided.refusal).toMatchObject({
        code: 'policy',
        message: expect.stringMatching(/\S/),
        remedy: expect.stringMatching(/\S/),
      });
  });

  test('and is not asked about invalid requests', async () => {
    asked.length = 0;
    for (const more of [{ method: 'TRACE' }, { method: 'CONNECT' }, { authority: 'other.test' }, { target: '/../x' }])
      expect((await ask('/', more)).kind).toBe('refused');
    expect(asked).toEqual([]);
    await ask('/a%2fb');
    expect(asked).toEqual(['/a%2fb', '/a/b']);
  });
});

test('rules see the path without its query, and the scheme of a WebSocket', () => {
  const base = { method: 'GET', authority: 'x', target: '/a?b=/c' };
  expect(httpRequestOf(base, context)).toEqual({
    kind: 'http',
    method: 'GET',
    scheme: 'https',
    host: 'api.test',
    port: 443,
    path: '/a',
  });
  expect(httpRequestOf({ ...base, upgrade: 'websocket' }, context).scheme).toBe('wss');
  expect(httpRequestOf({ ...base, upgrade: 'websocket' }, { ...context, scheme: 'http' }).scheme).toBe('ws');
  expect(httpRequestOf({ ...base, target: '*' }, context).path).toBe('*');
});

test('a refusal shows the canonical request', async () => {
  const decided = await ask('/', { authority: `evil\u001b[2J${'x'.repeat(500)}` });
  expect(decided).toMatchObject({
    refusal: {
      code: 'authority-mismatch',
      message: expect.stringMatching(
        /^The request is for "evil\?\[2Jx{1,100}" but the connection was opened, and decided, for api\.test:443\.$/,
      ),
    },
  });
});

describe('an asking rule', () => {
  const approving = (
    answer: ConnectionApproval,
  ): { readonly questions: unknown[]; readonly context: InterceptContext } => {
    const questions: unknown[] = [];
    return {
      questions,
      context: {
        ...context,
        authority: {
          ...context.authority,
          approve: (request, verdict) => (questions.push([request, verdict.rule]), Promise.resolve(answer)),
        },
      },
    };
  };
  const post: RequestLine = { method: 'POST', authority: 'api.test', target: '/x?secret=1' };

  test('passes after an approval, and the question is the request without its query', async () => {
    const { questions, context: asking } = approving({ kind: 'allowed' });
    expect(await decideRequest(post, asking)).toMatchObject({
      kind: 'allowed',
      verdict: { decision: 'allow', rule: 'ask-writes' },
    });
    expect(questions).toEqual([
      [{ kind: 'http', method: 'POST', scheme: 'https', host: 'api.test', port: 443, path: '/x' }, 'ask-writes'],
    ]);
  });

  test('is refused without an approval, with the reason', async () => {
    const { context: asking } = approving({ kind: 'denied', message: 'nobody answered within 60 s' });
    expect(await decideRequest(post, asking)).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'policy',
        message: expect.stringMatching(/; nobody answered within 60 s$/u),
        verdict: { decision: 'deny', rule: 'ask-writes' },
      },
    });
  });

  test('refuses without someone to ask', async () => {
    expect(await decideRequest(post, context)).toMatchObject({
      kind: 'refused',
      refusal: { message: expect.stringMatching(/nobody was there to ask/u) },
    });
  });

  test.each(['/admin/users', '/%61dmin/users'])(
    'is skipped for requests that are denied anyway: %s',
    async (target) => {
      const { questions, context: asking } = approving({ kind: 'allowed' });
      expect((await decideRequest({ ...post, target }, asking)).kind).toBe('refused');
      expect(questions).toEqual([]);
    },
  );
});
