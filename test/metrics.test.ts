import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appendEvents } from '../src/audit/index.ts';
import { everyEvent } from '../src/audit/testing/every-event.ts';
import { closedPort } from '../src/egress/dial/testing/loopback.ts';
import { readMetricsText } from '../src/metrics/testing/read-text.ts';
import { Project } from './lib/holdfast.ts';

interface Scraped {
  readonly project: Project;
  readonly url: string;
  readonly token: string;
  readonly server: ChildProcess;
}

/** A project whose server exposes metrics at a free port. */
async function served(): Promise<Scraped> {
  const project = new Project();
  onTestFinished(() => {
    project.holdfast(['stop', '--server']);
    project[Symbol.dispose]();
  });
  const server = project.start(['serve', '--metrics', '0']);
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said).toContain('metrics at ');
  const [, url = '', file = ''] = /metrics at (\S+), with the token in (\S+)\n/u.exec(said) ?? [];
  expect(file).toBe(join(project.state, 'metrics-token'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return { project, url, token: readFileSync(file, 'utf8').trim(), server };
}

function scrape({ url, token }: Pick<Scraped, 'url' | 'token'>): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${token}` } });
}

/** The sum of a metric over all series with these labels. */
async function value(scraped: Scraped, name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  const { samples = [] } = readMetricsText(await (await scrape(scraped)).text()).get(name) ?? {};
  return samples
    .filter((sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
    .reduce((sum, sample) => sum + sample.value, 0);
}

describe('a server with metrics', () => {
  test('counts commands of its sessions and of runs beside it, their refusals, and open sessions', async () => {
    const scraped = await served();
    const { project } = scraped;
    expect(project.holdfast(['exec', 'build', '--', 'true'])).toMatchObject({ status: 0, stderr: '' });
    project.holdfast(['exec', 'build', '--', 'sh', '-c', 'exit 3']);
    project.holdfast(['exec', 'none', '--nonsense']);
    project.inside('cat /etc/shadow');
    project.inside('true', ['--staged']);
    const of = (name: string, labels = {}) => value(scraped, name, labels);
    expect(await of('holdfast_sessions_started_total')).toBe(3);
    expect(await of('holdfast_commands_started_total', { backend: 'native' })).toBe(4);
    expect(await of('holdfast_commands_ended_total', { outcome: 'success' })).toBe(2);
    expect(await of('holdfast_commands_ended_total', { outcome: 'failure' })).toBe(2);
    expect(await of('holdfast_refusals_total', { request: 'file' })).toBe(1);
    expect(await of('holdfast_server_sessions')).toBe(1);
    expect(await of('holdfast_commands_running')).toBe(0);

    const { stdout } = project.holdfast(['exec', '--detach', 'build', '--', 'sleep', '4915']);
    await expect.poll(() => of('holdfast_commands_running')).toBe(1);
    expect(await of('holdfast_server_commands', { state: 'running' })).toBe(1);
    expect(await of('holdfast_supervisors_running')).toBe(1);
    expect(await of('holdfast_supervisors_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(await of('holdfast_server_requests_total', { request: 'exec' })).toBe(3);
    project.holdfast(['stop', '--signal', 'KILL', stdout.trim()]);
    await expect.poll(() => of('holdfast_commands_ended_total', { outcome: 'signal' })).toBe(1);
    project.holdfast(['logs', 'c99']);
    expect(await of('holdfast_server_errors_total', { code: 'HF_COMMAND_UNKNOWN' })).toBe(1);
    expect(await of('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(await of('holdfast_build_info')).toBe(1);
  });

  test('is hidden from a box, even one that may reach the port', async () => {
    const { project, url, token } = await served();
    const ask = `curl -s -o /dev/null -w '%{http_code}' ${url}; cat "${project.state}/metrics-token"`;
    expect(project.inside(ask).stdout).toBe('000');
    const granted = project.inside(ask, ['--host', `localhost:${new URL(url).port}`]);
    expect(granted.stdout).not.toContain('200');
    expect(granted.stdout + granted.stderr).not.toContain(token);
    const named = project.inside(ask.replace('127.0.0.1', 'localhost'), ['--host', `localhost:${new URL(url).port}`]);
    expect(named.stdout).toBe('401');
  });

  test('gives the reason if the journal cannot be read', async () => {
    const scraped = await served();
    scraped.project.inside('true');
    expect((await scrape(scraped)).status).toBe(200);
    rmSync(join(scraped.project.state, 'journal.jsonl'));
    mkdirSync(join(scraped.project.state, 'journal.jsonl'));
    const response = await scrape(scraped);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('[HF_JOURNAL_FAILED]')]);
  });

  test('keeps its format and bounds with invented labels of a box', async () => {
    const scraped = await served();
    const model = everyEvent('s-1', 'x').find(({ type }) => type === 'model');
    const made = Array.from({ length: 10_000 }, (_, index) => ({ ...model, model: `"${index}"\n\\}` }));
    appendEvents(join(scraped.project.state, 'journal.jsonl'), made as never);
    await expect.poll(() => value(scraped, 'holdfast_model_calls_total')).toBe(10_000);
    const text = await (await scrape(scraped)).text();
    expect(readMetricsText(text).get('holdfast_model_calls_total')?.samples).toHaveLength(51);
    expect(text.length).toBeLessThan(60_000);
  });
});

describe('options', () => {
  test('reach a server in the background, which closes its port at its end', async () => {
    using project = new Project();
    const port = await closedPort();
    project.write('token', `${'t'.repeat(40)}\n`);
    const words = ['serve', '--detach', '--metrics', `127.0.0.1:${port}`, '--metrics-token', 'token'];
    expect(project.holdfast(words)).toMatchObject({ status: 0, stderr: '' });
    const at = { url: `http://127.0.0.1:${port}/metrics`, token: 't'.repeat(40) };
    expect((await scrape(at)).status).toBe(200);
    project.holdfast(['stop', '--server']);
    await expect.poll(() => scrape(at).catch(() => 'gone')).toBe('gone');
  });

  test.each([
    [['--metrics', 'here'], 'expected a port'],
    [['--metrics', '70000'], 'expected a port'],
    [['--metrics', '::1:9464'], 'expected a port'],
    [['--metrics-token', 'token'], '--metrics-token needs --metrics'],
    [['--metrics', '0', '--metrics-token', 'none'], 'ENOENT'],
    [['--metrics', '0', '--metrics-token', 'short'], 'holds no token'],
    [['--metrics', '192.0.2.1:9464'], 'EADDRNOTAVAIL'],
    [['--metrics', '0', '--resident'], '--resident has no metrics'],
  ])('that are unusable start no server: %j', (words, message) => {
    using project = new Project();
    project.write('short', 'short\n');
    const { status, stderr } = project.holdfast(['serve', ...words]);
    expect({ status, stderr }).toEqual({ status: 125, stderr: expect.stringContaining(message) });
    expect(stderr).toContain('[HF_USAGE]');
    expect(project.holdfast(['ps']).stderr).toContain('HF_SERVE_ABSENT');
  });
});
