import { describe, expect, test } from 'vitest';
import type { Approve } from '../../sandbox/index.ts';
import { allowed, type Heard, listed, listing, offering, Relayed, scratchState } from './testing/relayed.ts';

describe('a call', () => {
  const declared = { tools: [['re*']] };

  test.each([
    ['that the policy does not name', listing('send'), 'send'],
    ['that has no usable name', listing('re ad'), 're ad'],
    ['with a definition that nobody could look at', listing('read', { description: 'x'.repeat(60_000) }), 'read'],
  ])('to a tool %s is not made, whatever the answer', async (_name, offered, name) => {
    const relayed = new Relayed({
      policy: allowed,
      capabilities: declared,
      approve: () => Promise.resolve('allow'),
      serve: offering(() => [offered]),
    });
    expect(listed(await relayed.ask('tools/list'))).toEqual([]);
    const { error, result } = await relayed.ask('tools/call', { name });
    expect(error ?? result?.['isError']).toBeTruthy();
    expect(relayed.served).not.toContain('tools/call');
  });

  test.each([
    [{}, 'a call names its tool'],
    [{ name: 7 }, 'a call names its tool'],
    [{ name: ['read'] }, 'a call names its tool'],
    [{ name: 'read', arguments: [] }, 'the arguments of a call are an object'],
    [{ name: 'read', arguments: 'x' }, 'the arguments of a call are an object'],
  ])('%j is not a call, and costs the server nothing', async (params, message) => {
    const relayed = new Relayed({ policy: allowed, serve: offering(() => [listing('read')]) });
    expect((await relayed.ask('tools/call', params)).error).toMatchObject({ code: -32_602, message });
    expect(relayed.served).not.toContain('tools/call');
    expect(relayed.served).not.toContain('tools/list');
  });

  test('takes along its name, its arguments and where progress goes, and nothing else', async () => {
    const relayed = new Relayed({ policy: allowed, serve: offering(() => [listing('read')]) });
    await relayed.ask('tools/call', {
      name: 'read',
      arguments: { a: 1 },
      task: {},
      _meta: { progressToken: 'p', more: 1 },
    });
    expect(relayed.serverHeard.at(-1)?.params).toEqual({
      name: 'read',
      arguments: { a: 1 },
      _meta: { progressToken: 'p' },
    });
    const { length } = relayed.agentHeard;
    relayed.server({ method: 'notifications/progress', params: { progressToken: 'p', progress: 2 } });
    await relayed.settled();
    expect(relayed.agentHeard.slice(length).flatMap(({ method }) => method ?? [])).toEqual([]);
  });

  test('to a tool that changes again during the question is not made', async () => {
    const state = scratchState();
    let tools = [listing('read')];
    expect(
      listed(await new Relayed({ policy: allowed, state, serve: offering(() => tools) }).ask('tools/list')),
    ).toEqual(['read']);
    tools = [listing('read', { description: 'second' })];
    const approve: Approve = async ({ details = [] }) => {
      if (!details.includes('description is:  second')) return 'deny';
      tools = [listing('read', { description: 'third' })];
      relayed.server({ method: 'notifications/tools/list_changed' });
      await relayed.ask('tools/list');
      return 'allow';
    };
    const relayed: Relayed = new Relayed({ policy: allowed, state, approve, serve: offering(() => tools) });
    expect(JSON.stringify(await relayed.ask('tools/call', { name: 'read' }))).toContain('has changed it again');
    expect(relayed.served).not.toContain('tools/call');
  });
});

describe('a list of tools', () => {
  test('with a schema that a client would fetch from elsewhere has no such tool', async () => {
    const relayed = new Relayed({
      policy: allowed,
      serve: offering(() => [
        listing('plain', { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } } }),
        listing('input', { inputSchema: { $ref: 'http://169.254.169.254/' } }),
        listing('output', { outputSchema: { type: 'object', allOf: [{ $ref: 'https://evil.example/?x' }] } }),
      ]),
    });
    expect(listed(await relayed.ask('tools/list'))).toEqual(['plain']);
    for (const name of ['input', 'output'])
      expect(JSON.stringify(await relayed.ask('tools/call', { name }))).toContain('HF_MCP_UNAPPROVED');
    expect(relayed.served).not.toContain('tools/call');
  });

  test.each<readonly [string, (request: Heard) => object, string]>([
    [
      'with two tools of one name',
      () => ({ tools: [listing('a'), listing('b'), listing('a', { description: 'another' })] }),
      'two tools of one name',
    ],
    [
      'on two pages with one tool of a name on each',
      ({ params }) =>
        params?.['cursor'] === 'x'
          ? { tools: [listing('a', { description: 'another' })] }
          : { tools: [listing('a')], nextCursor: 'x' },
      'two tools of one name',
    ],
    ['without an end', () => ({ tools: [], nextCursor: 'x' }), 'more than 100 pages'],
    [
      'of very many',
      () => ({ tools: Array.from({ length: 1001 }, (_, index) => listing(`t${index}`)) }),
      'more than 1000 tools',
    ],
    ['of something else', () => ({ tools: [listing('a'), { name: 7 }] }), 'something else than tools'],
    ['that is none', () => ({ tools: 'a' }), 'something else than tools'],
  ])('%s is refused, and nothing of it can be called', async (_name, page, why) => {
    const relayed = new Relayed({
      policy: allowed,
      serve: (request) => (request.method === 'tools/list' ? page(request) : {}),
    });
    expect((await relayed.ask('tools/list')).error?.message).toContain(why);
    expect((await relayed.ask('tools/call', { name: 'a' })).error?.message).toContain(why);
    expect(relayed.served).not.toContain('tools/call');
  });

  test('on pages is one list for the agent', async () => {
    const relayed = new Relayed({
      policy: allowed,
      serve: ({ params }) =>
        params?.['cursor'] === 'x' ? { tools: [listing('b')] } : { tools: [listing('a')], nextCursor: 'x' },
    });
    const answer = await relayed.ask('tools/list');
    expect(listed(answer)).toEqual(['a', 'b']);
    expect(answer.result).not.toHaveProperty('nextCursor');
    expect((await relayed.ask('tools/list', { cursor: 'x' })).error?.code).toBe(-32_602);
  });
});
