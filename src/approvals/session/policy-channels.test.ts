import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ApprovalSubject } from '../index.ts';
import { counterAt, newKey, oneTimeCode, totpPlaces, writeKey } from '../totp/key-file.ts';
import { readPlace, type Place } from '../../place/place.ts';
import { ownRules } from './open-approvals.ts';
import { sessionApprovals, type SessionApprovals } from './session-approvals.ts';

const secret = 'at least sixteen bytes, from a good source';

function made(policy: string): { readonly approvals: SessionApprovals; readonly place: Place; readonly root: string } {
  const root = mkdtempSync('/var/tmp/holdfast-approvals-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'ws'));
  mkdirSync(join(root, 'config/holdfast'), { recursive: true });
  writeFileSync(join(root, 'config/holdfast/policy.toml'), `version = 1\n${policy}`);
  const place = readPlace({
    cwd: join(root, 'ws'),
    workspace: join(root, 'ws'),
    environment: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') },
  });
  const approvals = sessionApprovals({
    session: 'test',
    place,
    environment: { CI: 'true', HOOK: secret },
    approve: undefined,
    terminal: 'none',
  });
  onTestFinished(() => approvals.close());
  return { approvals, place, root };
}

const subject: ApprovalSubject = {
  request: { kind: 'file', operation: 'read', path: '/a' },
  verdict: {
    decision: 'ask',
    code: 'rule',
    rule: 'r',
    layer: 'user',
    file: 'policy.toml',
    line: 1,
    message: 'm',
    remedy: 'r',
  },
};

/** A service that gives the same decision to every question. */
async function service(decision: string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { nonce, approval } = JSON.parse(Buffer.concat(chunks).toString()) as {
          readonly nonce: string;
          readonly approval: { readonly hash: string };
        };
        const time = Math.floor(Date.now() / 1000);
        const body = JSON.stringify({ version: 1, hash: approval.hash, nonce, decision, expires: time + 60 });
        response
          .setHeader(
            'Holdfast-Signature',
            `t=${time},v1=${createHmac('sha256', secret).update(`holdfast-answer-v1.${time}.${body}`).digest('hex')}`,
          )
          .end(body);
      });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a webhook of the policy', () => {
  test.each([
    ['once', { kind: 'allowed', channel: 'webhook' }],
    ['deny', { kind: 'denied', because: 'answer' }],
  ])('is someone, in CI too, and answers with %s', async (decision, outcome) => {
    const { approvals } = made(
      `[approvals]\nwebhook = { url = "${await service(decision)}", secret = { env = "HOOK" } }\n`,
    );
    expect(await approvals.ask(subject)).toMatchObject(outcome);
  });
});

test('a rule that wants a code takes the answer of the right one alone, and once', async () => {
  const { approvals, place } = made(
    '[approvals]\ntotp = ["r"]\n[[file]]\nname = "r"\ndecision = "ask"\npaths = ["/srv/a"]\n',
  );
  const key = newKey('SHA-1');
  mkdirSync(place.paths.state, { recursive: true, mode: 0o700 });
  writeKey(totpPlaces(place.paths.state).key, key);
  const stop = approvals.subscribe(() => undefined);
  const outcome = approvals.ask(subject);
  await vi.waitFor(() => expect(approvals.pending()).toHaveLength(1), { timeout: 20_000 });
  const [{ hash = '', confirmation } = {}] = approvals.pending();
  expect(confirmation).toBe('totp');
  const code = oneTimeCode(key, counterAt(Date.now()));
  const wrong = code === '000000' ? '000001' : '000000';
  expect(approvals.answer({ hash, decision: 'once' })).toEqual({ kind: 'code-needed' });
  expect(approvals.answer({ hash, decision: 'once', code: wrong })).toEqual({ kind: 'code-wrong' });
  expect(approvals.answer({ hash, decision: 'once', code })).toEqual({ kind: 'taken' });
  expect(await outcome).toMatchObject({ kind: 'allowed' });
  const again = approvals.ask(subject);
  await vi.waitFor(() => expect(approvals.pending()).toHaveLength(1), { timeout: 20_000 });
  expect(approvals.answer({ hash, decision: 'once', code })).toEqual({ kind: 'code-wrong' });
  expect(approvals.answer({ hash, decision: 'deny' })).toEqual({ kind: 'taken' });
  expect(await again).toMatchObject({ kind: 'denied' });
  stop();
});

test('no rule is offered where the policy is a symbolic link', () => {
  const { place, root } = made('');
  const asked: ApprovalSubject = {
    ...subject,
    request: { kind: 'signal', signal: 'SIGKILL', target: 'box' },
    verdict: { ...subject.verdict, rule: 'kills' },
  };
  writeFileSync(
    join(root, 'shared.toml'),
    'version = 1\n[[signal]]\nname = "kills"\ndecision = "ask"\nsignals = ["SIGKILL"]\n',
  );
  rmSync(place.paths.userPolicy);
  writeFileSync(
    place.paths.userPolicy,
    'version = 1\n[[signal]]\nname = "kills"\ndecision = "ask"\nsignals = ["SIGKILL"]\n',
  );
  expect(ownRules(place).propose(asked)).toMatchObject({ file: place.paths.userPolicy });
  rmSync(place.paths.userPolicy);
  symlinkSync(join(root, 'shared.toml'), place.paths.userPolicy);
  expect(ownRules(place).propose(asked)).toBeUndefined();
});
