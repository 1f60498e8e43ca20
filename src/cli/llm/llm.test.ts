import { dirname, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { appendEvents, type DlpEvent, type ModelEvent } from '../../audit/index.ts';
import { createCallLog } from '../../llm/session/log/call-log.ts';
import { exchange, gatewayOf, key, said, settingsOf } from '../../llm/session/testing/gateway.ts';
import { scene } from '../testing/run.ts';
import { llmCommand } from './index.ts';

const place = { session: 's-1', workspace: '/srv/project' } as const;
const call: ModelEvent = {
  ...place,
  type: 'model',
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  host: 'api.anthropic.com',
  port: 443,
  model: 'claude-x',
  status: 200,
  tokens: { uncachedInput: 12, cacheRead: 3, cacheWrite5m: 0, cacheWrite1h: 0, output: 6, reasoning: 0 },
  usd: 0.5,
  prices: 'table 1',
  completeness: 'complete',
  duration: 1500,
  firstByte: 200,
  toolCalls: [],
};

function told(...calls: readonly (Partial<ModelEvent> | DlpEvent)[]) {
  const { journal, run } = scene();
  if (calls.length > 0)
    appendEvents(
      journal,
      calls.map((one) => (one.type === 'dlp' ? one : { ...call, ...one })),
    );
  return { journal, run: (...argv: readonly string[]) => run(llmCommand, ...argv) };
}

/** A journal of calls through a gateway that keeps texts. */
async function kept(
  ...asked: readonly {
    readonly text: string;
    readonly answer: string;
    readonly type?: string;
    readonly status?: number;
  }[]
) {
  const { journal, run } = told();
  const settings = settingsOf({ log: { texts: 'kept', keep: 1e9, most: 1e9 } });
  const log = createCallLog({
    directory: join(dirname(journal), 'calls'),
    ...place,
    settings: () => settings.log,
    now: Date.now,
  });
  const gateway = gatewayOf(settings, {
    keep: log.open,
    now: Date.now,
    record: (event) => appendEvents(journal, [{ ...event, ...place }]),
  });
  for (const { text, answer, type = 'application/json', status = 200 } of asked)
    await exchange(
      gateway,
      { headers: { 'content-type': 'application/json' }, body: said(text) },
      { type, status, text: () => answer },
    );
  return { journal, run };
}

const answerOf = (text: string): string =>
  JSON.stringify({
    id: 'm',
    type: 'message',
    stop_reason: 'tool_use',
    model: 'claude-x',
    role: 'assistant',
    content: [
      { type: 'text', text },
      { type: 'tool_use', id: 't', name: 'weather', input: { city: 'Bern' } },
    ],
    usage: { input_tokens: 3, output_tokens: 9 },
  });

describe('log', () => {
  test('without calls says so', async () => {
    expect(await told().run('log')).toEqual({
      status: 0,
      stdout: 'No model calls. Allow a model server for one run: holdfast run --host api.anthropic.com -- COMMAND\n',
      stderr: '',
    });
    expect((await told().run('log', '--refused')).stdout).toBe(
      'No model call matches the filters. See all calls: holdfast llm log\n',
    );
    expect((await told().run('log', '--json')).stdout).toBe('{\n  "more": false,\n  "calls": []\n}\n');
  });

  test('has a line for each call, newest last', async () => {
    const { tokens: _, ...bare } = call;
    const { journal, run } = scene();
    appendEvents(journal, [
      call,
      { ...bare, provider: 'own', usd: null, completeness: 'partial', logFailure: 'ENOSPC' },
      { ...call, status: 403, usd: 0, refusal: { code: 'dlp', message: 'no' }, log: '0'.repeat(20) },
    ]);
    const { stdout } = await run(llmCommand, 'log');
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/u))).toEqual([
      ['TIME', 'ID', 'PROVIDER', 'MODEL', 'STATUS', 'IN', 'OUT', 'USD', 'TOOK', 'FIRST', 'TOOLS', 'TEXTS'],
      [
        expect.stringMatching(/Z$/u),
        expect.stringMatching(/^\d+$/u),
        'anthropic',
        'claude-x',
        '200',
        '15',
        '6',
        '0.5000',
        '1.5 s',
        '200 ms',
        '0',
        '-',
      ],
      [
        expect.stringMatching(/Z$/u),
        expect.stringMatching(/^\d+$/u),
        'own',
        'claude-x',
        '200 cut',
        '?',
        '?',
        '?',
        '1.5 s',
        '200 ms',
        '0',
        'lost',
      ],
      [
        expect.stringMatching(/Z$/u),
        expect.stringMatching(/^\d+$/u),
        'anthropic',
        'claude-x',
        'dlp',
        '15',
        '6',
        '0.0000',
        '1.5 s',
        '200 ms',
        '0',
        'gone',
      ],
      ['3 calls'],
      [''],
    ]);
  });

  test.each([
    [['--provider', 'own'], ['b']],
    [['--provider', 'O*'], ['b']],
    [
      ['--model', 'a*'],
      ['a', 'ab'],
    ],
    [
      ['--model', '*b'],
      ['b', 'ab'],
    ],
    [
      ['--model', '*'],
      ['a', 'b', 'ab'],
    ],
    [['--model', 'ab*b'], []],
    [['--refused'], ['ab']],
    [['--session', 's-2'], ['ab']],
    [
      ['--limit', '2'],
      ['b', 'ab'],
    ],
    [
      ['--since', '1h'],
      ['a', 'b', 'ab'],
    ],
    [['--until', '2020-01-01'], []],
  ])('%j shows %j', async (argv, models) => {
    const { run } = told(
      { model: 'a' },
      { model: 'b', provider: 'own' },
      { model: 'ab', session: 's-2', refusal: { code: 'dlp', message: 'no' } },
    );
    const { calls } = JSON.parse((await run('log', ...argv, '--json')).stdout) as {
      readonly calls: readonly { readonly model: string }[];
    };
    expect(calls.map(({ model }) => model)).toEqual(models);
  });

  test('says nothing to a terminal that a name has in it', async () => {
    const { run } = told({
      model: '\u001B[2J\u202Ex\ny',
      provider: '\u009B1m',
      toolCalls: [{ name: '\u001B]0;x\u0007', arguments: '\r\u001B[1A' }],
    });
    for (const form of [['log'], ['log', '--json'], ['show', '1'], ['show', '2'], ['show', '2', '--json']]) {
      const { stdout } = await run(...form);
      for (const character of ['\u001B', '\u009B', '\u202E', '\u0007', '\r']) expect(stdout).not.toContain(character);
    }
  });
});

describe('show', () => {
  const idsOf = async (run: (...argv: readonly string[]) => Promise<{ readonly stdout: string }>) =>
    (
      JSON.parse((await run('log', '--json')).stdout) as {
        readonly calls: readonly { readonly id: number; readonly log: string }[];
      }
    ).calls;

  test('prints the indented texts, without keys', async () => {
    const { run } = await kept({ text: `use ${key}\nanswer\n  not mine`, answer: answerOf('It is \u001B[31mwarm') });
    const [{ id, log } = { id: 0, log: '' }] = await idsOf(run);
    const { stdout, stderr } = await run('show', String(id));
    expect(stderr).toBe('');
    expect(stdout).toContain('found     1 × github-token: tokenize by built-in: keys\n');
    expect(stdout).toMatch(
      /\nuser\n {2}use ghp_\w{36}\n {2}answer\n {4}not mine\n\nanswer\n {2}It is \S+\[31mwarm\n\nanswer, calls weather\n {2}\{"city":"Bern"\}\n$/u,
    );
    expect(stdout).not.toContain(key);
    expect((await run('show', log)).stdout).toBe(stdout);
    expect(JSON.parse((await run('show', log.slice(0, 12), '--json')).stdout)).toMatchObject({
      call: { id, log, texts: 'kept' },
      found: [{ decision: 'tokenize', found: { 'github-token': 1 } }],
      conversation: {
        request: [{ role: 'user' }],
        answer: { said: [{ kind: 'text' }], toolCalls: [{ name: 'weather' }] },
      },
      kept: { end: { end: 'complete' } },
    });
  });

  test('prints the findings, even with a late journal', async () => {
    const found: DlpEvent = {
      type: 'dlp',
      ...place,
      host: call.host,
      port: call.port,
      path: '/',
      rule: 'keys',
      decision: 'audit',
      found: { 'github-token': 1 },
    };
    const { journal, run } = told(found);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    appendEvents(journal, [{ ...call, duration: 5 }]);
    expect((await run('show', '2')).stdout).toContain('found     1 × github-token: audit by keys\n');
  });

  test('says where an answer was cut short', async () => {
    const { run } = await kept(
      {
        text: 'hello',
        answer:
          'event: message_start\ndata: {"type":"message_start","message":{"id":"m","model":"claude-x","usage":{"input_tokens":3,"output_tokens":1}}}\n\n',
        type: 'text/event-stream',
      },
      { text: 'hello', answer: answerOf('whole') },
    );
    const shown = await Promise.all(
      (await idsOf(run)).map(async ({ id }) =>
        (await run('show', String(id))).stdout.includes('(the answer was cut short)'),
      ),
    );
    expect(shown).toEqual([true, false]);
  });

  test('--raw has request and answer as they were kept', async () => {
    const { run } = await kept({ text: 'hello', answer: '{"error":"no"}', status: 500 });
    const [{ id } = { id: 0 }] = await idsOf(run);
    expect((await run('show', String(id), '--raw')).stdout).toBe(`${said('hello')}\n\n{"error":"no"}\n`);
    expect((await run('show', String(id))).stdout).toContain('\nanswer 500\n  {"error":"no"}\n');
  });

  test('without texts prints the journal’s facts', async () => {
    const { run } = told(
      {
        type: 'dlp',
        ...place,
        host: 'other.example',
        port: 443,
        path: '/',
        rule: 'not-this',
        decision: 'audit',
        found: { x: 1 },
      },
      { refusal: { code: 'dlp', message: 'keep it' } },
    );
    const [{ id } = { id: 0 }] = (
      JSON.parse((await run('log', '--json')).stdout) as { readonly calls: readonly { readonly id: number }[] }
    ).calls;
    const { stdout } = await run('show', String(id));
    expect(stdout).toContain('answer    refused: dlp: keep it\n');
    expect(stdout).toContain('texts     not kept\n');
    expect(stdout).not.toContain('not-this');
    expect(await run('show', String(id), '--raw')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('were not kept'),
    });
  });

  test('on a damaged file says so', async () => {
    const { journal, run } = await kept({ text: 'hello', answer: '{}' });
    const [{ id, log } = { id: 0, log: '' }] = await idsOf(run);
    writeFileSync(join(dirname(journal), 'calls', `${log}.jsonl.gz`), 'no gzip');
    expect(await run('show', String(id))).toMatchObject({ status: 0, stderr: expect.stringContaining('is damaged') });
    expect(await run('show', String(id), '--raw')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('cannot be read'),
    });
  });

  test('on a missing or ambiguous ID says so', async () => {
    const { run } = await kept({ text: 'a', answer: '{}' }, { text: 'b', answer: '{}' });
    const [{ log } = { log: '' }] = await idsOf(run);
    for (const [word, words] of [
      ['99', 'there is no call'],
      ['../../x', 'there is no call'],
      ['', 'there is no call'],
      [log.slice(0, 5), '2 calls begin with'],
    ] as const)
      expect(await run('show', word)).toMatchObject({
        status: 125,
        stdout: '',
        stderr: expect.stringContaining(words),
      });
  });
});

test.each([
  ['list'],
  ['log', 'x'],
  ['show'],
  ['show', '1', '2'],
  ['show', '1', '--refused'],
  ['log', '--raw'],
  ['log', '--limit', '0'],
  ['log', '--since', 'yesterday'],
  ['show', '1', '--raw', '--json'],
])('%s %s %s %s is a usage error', async (...argv) => {
  expect(await told({}).run(...argv.filter((word) => typeof word === 'string'))).toMatchObject({
    status: 125,
    stdout: '',
    stderr: expect.stringContaining('[HF_USAGE]'),
  });
});
