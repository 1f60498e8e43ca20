import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PendingApproval } from '../src/approvals/index.ts';
import { counterAt, oneTimeCode, readTotpKey } from '../src/approvals/totp/key-file.ts';
import { signatureHeader, signedAt } from '../src/approvals/webhook/webhook-channel.ts';
import { readEvents } from '../src/audit/index.ts';
import { asked, type Running, running, watching } from './lib/approvals.ts';
import { binary, Project } from './lib/holdfast.ts';

const secret = 'the secret of the webhook in these tests';
const asks = '[[file]]\nname = "notes"\ndecision = "ask"\noperations = ["write", "create"]\npaths = ["notes"]\n';
const writes = ['run', '--', 'sh', '-c', 'echo x > notes; echo "status=$?"'];

function project(policy: string): Project {
  const made = new Project();
  onTestFinished(() => made[Symbol.dispose]());
  made.write('../home/.config/holdfast/policy.toml', `version = 1\n${policy}`);
  return made;
}

function start(
  { workspace, environment }: Project,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Running {
  return running(
    spawn(binary, args, { cwd: workspace, env: { ...environment, ...more }, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

interface Question {
  readonly nonce: string;
  readonly approval: PendingApproval;
}

async function service(respond: (question: Question, response: ServerResponse) => void): Promise<string> {
  const server = createServer(
    (request, response) => void receive(request).then((question) => respond(question, response)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function receive(request: IncomingMessage): Promise<Question> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (signedAt(secret, 'question', { header: String(request.headers['holdfast-signature']), body }) === undefined)
    throw new Error('the question is not signed');
  return JSON.parse(body) as Question;
}

function answer({ nonce, approval: { hash } }: Question, response: ServerResponse, decision: string): void {
  const timestamp = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ version: 1, hash, nonce, decision, expires: timestamp + 60 });
  response.writeHead(200, { 'holdfast-signature': signatureHeader(secret, 'answer', { timestamp, body }) }).end(body);
}

const webhook = (url: string): string =>
  `[approvals]\ntimeout = "20s"\nwebhook = { url = "${url}", secret = { env = "HOOK_SECRET" } }\n`;

describe('a webhook', { timeout: 60_000 }, () => {
  test.each([
    ['once', 'status=0'],
    ['deny', 'status=2'],
  ] as const)('answers %s without any other approver', async (decision, printed) => {
    const url = await service((question, response) => answer(question, response, decision));
    const place = project(`${webhook(url)}${asks}`);
    const run = start(place, writes, { HOOK_SECRET: secret });
    await run.status;
    expect(run.printed()).toContain(printed);
    expect(existsSync(join(place.workspace, 'notes'))).toBe(decision === 'once');
    expect(
      readEvents(join(place.state, 'journal.jsonl')).filter(({ type }) => type === 'approval.resolved'),
    ).toMatchObject([{ channel: 'webhook', decision }]);
    expect(readFileSync(join(place.state, 'journal.jsonl'), 'utf8')).not.toContain(secret);
  });

  test('a failing webhook is reported, and another terminal answers', async () => {
    const url = await service((_, response) => void response.writeHead(500).end());
    const place = project(`${webhook(url)}${asks}`);
    const run = start(place, writes, { HOOK_SECRET: secret });
    const { id } = await asked(place);
    await vi.waitFor(
      () =>
        expect(run.printed()).toMatch(
          /the webhook at 127\.0\.0\.1:\d+ does not work: it answered with the status 500/u,
        ),
      { timeout: 20_000 },
    );
    expect(place.holdfast(['approvals', 'allow', id, '--once'])).toMatchObject({ status: 0 });
    await run.status;
    expect(run.printed()).toContain('status=0');
  });

  test('without its secret is not used', async () => {
    const asked: Question[] = [];
    const url = await service((question, response) => {
      asked.push(question);
      answer(question, response, 'once');
    });
    const place = project(`${webhook(url).replace('20s', '2s')}${asks}`);
    const run = start(place, writes);
    await run.status;
    expect(run.printed()).toMatch(/secret .* cannot be read/u);
    expect(run.printed()).toContain('status=2');
    expect(asked).toEqual([]);
  });
});

test('a rule that requires a code accepts the authenticator’s code, and nothing else', {
  timeout: 60_000,
}, async () => {
  const place = project(`[approvals]\ntotp = ["notes"]\n${asks}`);
  await watching(place);
  const run = start(place, writes);
  const { id } = await asked(place);
  const allow = (...code: readonly string[]) => place.holdfast(['approvals', 'allow', id, '--once', ...code]);
  expect(allow('--code', '000000')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no authenticator is enrolled'),
  });
  expect(place.holdfast(['approvals', 'totp', 'enrol']).status).toBe(0);
  expect(allow().status).not.toBe(0);
  expect(allow('--code', '000000').status).toBe(1);
  const key = readTotpKey(join(place.state, 'totp.key'));
  expect(key).toBeDefined();
  const code = oneTimeCode(key ?? { secret: Buffer.alloc(20), algorithm: 'SHA-1' }, counterAt(Date.now()));
  expect(allow('--code', code)).toMatchObject({ status: 0 });
  await run.status;
  expect(run.printed()).toContain('status=0');

  const again = start(place, writes);
  const { id: second } = await asked(place);
  expect(place.holdfast(['approvals', 'allow', second, '--once', '--code', code]).status).toBe(1);
  expect(place.holdfast(['approvals', 'deny', second]).status).toBe(0);
  await again.status;
});

test('the key of the authenticator cannot be read in a box', { timeout: 60_000 }, () => {
  const place = project('');
  place.holdfast(['approvals', 'totp', 'enrol']);
  expect(readdirSync(place.state)).toContain('totp.key');
  const { stdout, status } = place.holdfast(['run', '--', 'sh', '-c', `cat ${join(place.state, 'totp.key')}`]);
  expect([stdout, status]).toEqual(['', 1]);
});

test('"always" writes the displayed rule, and the next session does not ask', { timeout: 60_000 }, async () => {
  const place = project(`# mine\n${asks}`);
  await watching(place);
  const run = start(place, writes);
  const { id } = await asked(place);
  const answered = JSON.parse(place.holdfast(['approvals', 'allow', id, '--always', '--json']).stdout) as {
    readonly added: { readonly file: string; readonly text: string };
  };
  expect(answered).toMatchObject({
    decision: 'always',
    hash: expect.stringContaining(id) as string,
    title: expect.stringContaining('notes') as string,
  });
  await run.status;
  expect(run.printed()).toContain('status=0');
  const policy = readFileSync(join(place.workspace, '../home/.config/holdfast/policy.toml'), 'utf8');
  expect(policy).toContain('# mine\n[[file]]\nname = "notes"');
  expect([answered.added.file, policy.includes(answered.added.text)]).toEqual([
    join(place.workspace, '../home/.config/holdfast/policy.toml'),
    true,
  ]);
  expect(policy.indexOf('always-')).toBeLessThan(policy.indexOf('name = "notes"'));
  rmSync(join(place.workspace, 'notes'));
  const next = start(place, writes);
  await next.status;
  expect(next.printed()).toContain('status=0');
  expect(
    readEvents(join(place.state, 'journal.jsonl')).filter(({ type }) => type === 'approval.requested'),
  ).toHaveLength(1);
});

describe('a notifier of the desktop', { timeout: 60_000 }, () => {
  const notifier = (marker: string): string => `#!/bin/sh\necho "$@" > ${marker}\n`;

  // Attack: a box plants notify-send in a directory that a policy makes writable, and the supervisor starts it outside.
  test.each([
    ['that is where no box writes is started', '', true],
    ['that a policy lets boxes write is not', '[files]\nwrite = ["$TOOLS"]\n', false],
  ] as const)('%s', async (_what, grant, isStarted) => {
    const policy = `${grant}[approvals]\ntimeout = "3s"\ndesktop = "on"\n${asks}`;
    const made = project('');
    const tools = join(made.root, 'tools');
    const marker = join(made.root, 'started');
    made.write('../home/.config/holdfast/policy.toml', `version = 1\n${policy.replace('$TOOLS', tools)}`);
    chmodSync(made.write(join(tools, 'notify-send'), notifier(marker)), 0o755);
    const watch = await watching(made);
    const run = start(made, writes, { PATH: `${tools}:/usr/bin:/bin` });
    await asked(made);
    await run.status;
    watch.child.kill();
    expect(existsSync(marker)).toBe(isStarted);
  });
});
