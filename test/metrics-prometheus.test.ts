import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendEvents, type JournalEvent } from '../src/audit/index.ts';
import { everyEvent } from '../src/audit/testing/every-event.ts';
import { closedPort } from '../src/egress/dial/testing/loopback.ts';
import { has, Project, repository } from './lib/holdfast.ts';

const missing = ['prometheus', 'promtool'].filter((program) => !has(program));
if (missing.length > 0)
  console.warn(`SKIPPED: scrapes by a real Prometheus, because ${missing.join(' and ')} is missing`);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const dashboard = JSON.parse(readFileSync(join(repository, 'docs/grafana-dashboard.json'), 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));
const alerts = alertsOf(readFileSync(join(repository, 'docs/metrics.md'), 'utf8'));

function alertsOf(page: string): readonly string[] {
  const [, block = ''] = /Useful alerts:\n\n```text\n([^`]*)```/u.exec(page) ?? [];
  return block.trim().split('\n');
}

describe.skipIf(missing.length > 0)("Debian's Prometheus", () => {
  let project: Project;
  let target: string;
  let api: string;
  let prometheus: ChildProcess;

  beforeAll(async () => {
    project = new Project();
    const port = await closedPort();
    target = `127.0.0.1:${port}`;
    project.holdfast(['serve', '--detach', '--metrics', target]);
    const config = project.write('../prometheus.yml', configuration());
    expect(spawnSync('promtool', ['check', 'config', config], { encoding: 'utf8' })).toMatchObject({ status: 0 });
    const web = `127.0.0.1:${await closedPort()}`;
    api = `http://${web}/api/v1`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(project.root, 'tsdb')}`,
        `--web.listen-address=${web}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => prometheus.once('exit', resolve));
    prometheus.kill();
    await ended;
    project.holdfast(['stop', '--server']);
    project[Symbol.dispose]();
  });

  /** Two jobs: one sends the token, the other a wrong one. */
  function configuration(): string {
    const wrong = project.write('../wrong-token', 'w'.repeat(64));
    const job = (name: string, file: string): string =>
      `  - job_name: ${name}\n    authorization: { credentials_file: ${file} }\n    static_configs: [{ targets: ['${target}'] }]\n`;
    return `global: { scrape_interval: 1s, scrape_timeout: 1s }\nscrape_configs:\n${job('holdfast', join(project.state, 'metrics-token'))}${job('stranger', wrong)}`;
  }

  async function ask(expr: string): Promise<readonly { readonly value: readonly [number, string] }[]> {
    const answer = await fetch(`${api}/query?${new URLSearchParams({ query: expr })}`).catch(() => undefined);
    if (answer === undefined) return [];
    const { status, error, data } = (await answer.json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
    };
    expect({ status, error }).toEqual({ status: 'success', error: undefined });
    return data.result;
  }

  async function numberOf(expr: string): Promise<number | undefined> {
    const [first] = await ask(expr);
    return first === undefined ? undefined : Number(first.value[1]);
  }

  test('scrapes with the token, and is refused without it', async () => {
    await expect.poll(() => numberOf('up{job="holdfast"}')).toBe(1);
    await expect.poll(() => numberOf('up{job="stranger"}')).toBe(0);
  });

  test('accepts names, types and units', async () => {
    appendEvents(join(project.state, 'journal.jsonl'), everyEvent('s-1', 'x"\n\\'));
    const token = readFileSync(join(project.state, 'metrics-token'), 'utf8').trim();
    const text = await (
      await fetch(`http://${target}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    ).text();
    expect(text).toContain('holdfast_model_calls_total');
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('counts a command’s actions', async () => {
    await expect.poll(() => numberOf('up{job="holdfast"}')).toBe(1);
    project.holdfast(['exec', 'build', '--', 'sh', '-c', 'exit 3']);
    project.holdfast(['logs', 'c99']);
    await expect.poll(() => numberOf('holdfast_commands_ended_total{outcome="failure"}')).toBe(1);
    await expect
      .poll(() => numberOf('increase(holdfast_commands_ended_total{outcome="failure"}[1m])'))
      .toBeGreaterThan(0);
  });

  test('keeps few series for 10,000 models that a box invented', async () => {
    const model = everyEvent('s-1', 'x').find((event) => event.type === 'model');
    const made = Array.from({ length: 10_000 }, (_, index) => ({ ...model, model: `"${index}"\n\\}` }));
    appendEvents(join(project.state, 'journal.jsonl'), made as readonly JournalEvent[]);
    await expect.poll(() => numberOf('sum(holdfast_model_calls_total)'), { timeout: 60_000 }).toBeGreaterThan(9999);
    expect(await numberOf('count(holdfast_model_calls_total)')).toBeLessThan(60);
    expect(await numberOf('count({job="holdfast"})')).toBeLessThan(1000);
    expect(await numberOf('up{job="holdfast"}')).toBe(1);
  });

  test.each(queries)('answers the query of the panel %s: %s', async (_, expr) => {
    const filled = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');
    await expect.poll(async () => (await ask(filled)).length).toBeGreaterThan(0);
  });

  test.each(alerts)('understands the alert %s', async (expr) => {
    const file = project.write('../rules.yml', rulesOf(expr));
    expect(spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toMatchObject({ status: 0 });
    // One event of each type came: the first of its kind raises the alarm.
    if (expr.startsWith('increase(')) await expect.poll(async () => (await ask(expr)).length).toBeGreaterThan(0);
    // The metric exists, with any value.
    await expect.poll(async () => (await ask(expr.replace(/ (?:==|>) \S+$/u, ''))).length).toBeGreaterThan(0);
  });
});

function rulesOf(expr: string): string {
  return JSON.stringify({ groups: [{ name: 'holdfast', rules: [{ alert: 'Tried', expr }] }] });
}
