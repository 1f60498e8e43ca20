import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { appendEvents, type ModelEvent } from '../audit/index.ts';
import { scene } from './testing/run.ts';
import { usageCommand } from './usage.ts';

const call: ModelEvent = {
  type: 'model',
  session: 's-1',
  workspace: '/srv/project',
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  operation: 'generate',
  host: 'api.anthropic.com',
  port: 443,
  model: 'claude-x',
  agent: 'claude-cli',
  status: 200,
  tokens: { uncachedInput: 1200, cacheRead: 30, cacheWrite5m: 4, cacheWrite1h: 5, output: 60, reasoning: 7 },
  usd: 1.5,
  prices: 'table 1',
  completeness: 'complete',
  duration: 10,
  toolCalls: [{ name: 'weather', arguments: '{}' }],
};

/** Runs the command over a journal with exactly these calls. */
function told(...calls: readonly Partial<ModelEvent>[]) {
  const { journal, run } = scene();
  if (calls.length > 0)
    appendEvents(
      journal,
      calls.map((one) => ({ ...call, ...one })),
    );
  return (...argv: readonly string[]) => run(usageCommand, ...argv);
}

interface Row {
  readonly key: Readonly<Record<string, string | null>>;
  readonly calls: number;
  readonly usd: number | null;
  readonly unpriced: number;
}

function rowsIn(stdout: string): readonly Row[] {
  return (JSON.parse(stdout) as { readonly rows: readonly Row[] }).rows;
}

const unpriced = { provider: 'own', model: 'gpt-99', usd: null } as const;

function thisMonth(): string {
  return new Date().toISOString().slice(0, 7);
}

describe('a journal without calls', () => {
  test('is not a failure, and says since when it is empty', async () => {
    expect(await told()()).toEqual({
      status: 0,
      stdout: `No model calls since ${thisMonth()}-01 00:00 UTC. Look further back: holdfast usage --since 90d\n`,
      stderr: '',
    });
    expect(await told()('--since', '2026-01-31T12:00')).toEqual({
      status: 0,
      stdout: 'No model calls since 2026-01-31 12:00 UTC. Look further back: holdfast usage --since TIME\n',
      stderr: '',
    });
  });

  test('has no rows', async () => {
    expect((await told()('--json')).stdout).toBe('{\n  "rows": [],\n  "unread": 0\n}\n');
    expect((await told()('--csv', '--by', 'day')).stdout).toMatch(/^day,calls,[^\r\n]*\r\n$/u);
  });
});

describe('the table', () => {
  test('is by provider and model, of this month, the dearest first', async () => {
    const { status, stdout, stderr } = await told(unpriced, {}, {}, { model: 'claude-y', usd: 0.25 })();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [since, titles, ...lines] = stdout.split('\n');
    expect(since).toBe(`since ${thisMonth()}-01 00:00 UTC`);
    expect(titles).toMatch(/^PROVIDER +MODEL +CALLS .*USD$/u);
    expect(
      lines.slice(0, 3).map((line) =>
        line
          .split(/ {2,}/u)
          .filter((cell) => cell !== '')
          .toSpliced(3, 5),
      ),
    ).toEqual([
      ['anthropic', 'claude-x', '2', '3.00'],
      ['anthropic', 'claude-y', '1', '0.25'],
      ['own', 'gpt-99', '1', '?'],
    ]);
  });

  test('names unknown costs', async () => {
    const { stdout } = await told(unpriced, { ...unpriced, usd: 2 })('--by', 'provider');
    expect(stdout).toContain('2.00 + ?');
    expect(stdout).toContain('?: the cost of 1 call is not known.');
  });

  test('is not cut where no terminal reads it', async () => {
    const model = 'm'.repeat(300);
    expect((await told({ model })()).stdout).toContain(model);
  });

  test('says nothing to a terminal that a name has in it', async () => {
    const run = told({ model: '\u001B[2J\u202Ex', agent: '\u009B1m\nnew' });
    for (const form of [[], ['--csv'], ['--json']]) {
      const { stdout } = await run('--by', 'model,agent', ...form);
      for (const character of ['\u001B', '\u009B', '\u202E']) expect(stdout).not.toContain(character);
    }
    expect(rowsIn((await run('--by', 'model', '--json')).stdout)).toMatchObject([
      { key: { model: '\u001B[2J\u202Ex' } },
    ]);
  });
});

describe('--by', () => {
  test.each([
    [['session'], ['s-1', 's-2']],
    [['agent'], ['claude-cli', null]],
    [['model'], ['claude-x', 'claude-z']],
    [['provider'], ['anthropic', 'openai']],
    [['repository'], ['/srv/project', '/srv/other']],
  ] as const)('%j has a row for each', async ([name], values) => {
    const { agent: _, ...other } = {
      ...call,
      session: 's-2',
      model: 'claude-z',
      provider: 'openai',
      workspace: '/srv/other',
      usd: 1,
    };
    const { journal, run } = scene();
    appendEvents(journal, [call, other]);
    const rows = rowsIn((await run(usageCommand, '--by', name, '--json')).stdout);
    expect(rows.map(({ key }) => key)).toEqual(values.map((value) => ({ [name]: value })));
  });

  test('takes several, with commas or repeated, each once', async () => {
    const run = told({});
    for (const words of [
      ['--by', 'day,model'],
      ['--by', 'day', '--by', 'model'],
      ['--by', 'day, model,day'],
    ]) {
      const [row] = rowsIn((await run(...words, '--json')).stdout);
      expect(Object.keys(row?.key ?? {})).toEqual(['day', 'model']);
      expect(row?.key['day']).toBe(new Date().toISOString().slice(0, 10));
    }
  });
});

test('--since leaves out earlier calls', async () => {
  const run = told({});
  expect((await run('--since', '1h')).stdout).toContain('claude-x');
  expect((await run('--since', '2999-01-01')).stdout).toBe(
    'No model calls since 2999-01-01 00:00 UTC. Look further back: holdfast usage --since TIME\n',
  );
});

test('a cost that is not known is null in JSON and an empty cell in CSV, never 0', async () => {
  const run = told(unpriced);
  expect(rowsIn((await run('--json')).stdout)).toMatchObject([{ calls: 1, usd: null, unpriced: 1 }]);
  const [names = '', cells = ''] = (await run('--csv')).stdout.split('\r\n');
  expect(cells.split(',')[names.split(',').indexOf('usd')]).toBe('');
});

test('refused calls do not count', async () => {
  const run = told({}, { usd: 0, status: 403, refusal: { code: 'dlp', message: 'no' } });
  expect(rowsIn((await run('--json')).stdout)).toMatchObject([{ calls: 1, usd: 1.5 }]);
});

test('lines of the journal that could not be read are said, with what to do', async () => {
  const { journal, run } = scene();
  appendEvents(journal, [call, { ...call, usd: 'much' } as unknown as ModelEvent, call]);
  writeFileSync(journal, `garbage\n${readFileSync(journal, 'utf8')}`);
  const { stdout, stderr } = await run(usageCommand, '--json');
  expect(stderr).toBe(
    '2 lines of the journal are no whole entry, and calls may be missing here: see `holdfast audit verify`\n',
  );
  expect(JSON.parse(stdout)).toMatchObject({ unread: 2, rows: [{ calls: 2 }] });
});

test.each([
  ['--by', 'week'],
  ['--by', ''],
  ['--by', 'day,'],
  ['--since', 'yesterday'],
  ['--json', '--csv'],
  ['models'],
])('%s %s is a usage error', async (...argv) => {
  expect(await told({})(...argv)).toMatchObject({
    status: 125,
    stdout: '',
    stderr: expect.stringContaining('[HF_USAGE]'),
  });
});
