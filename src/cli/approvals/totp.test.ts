import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fromBase32, readTotpKey } from '../../approvals/totp/key-file.ts';
import { approvalsCommand } from './index.ts';

const state = mkdtempSync(join(tmpdir(), 'holdfast-cli-totp-'));
afterAll(() => rmSync(state, { recursive: true }));

async function run(
  ...positionals: readonly string[]
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const io = {
    stdout: { write: (text: string) => (said.stdout += text) },
    stderr: { write: (text: string) => (said.stderr += text) },
    cwd: state,
    environment: { XDG_STATE_HOME: state },
  };
  return { status: await approvalsCommand.run({ values: {}, positionals, rest: undefined, io }), ...said };
}

test('an authenticator is enrolled once, shown once, and removed', async () => {
  const key = join(state, 'holdfast/totp.key');
  const { status, stdout } = await run('totp', 'enrol');
  expect(status).toBe(0);
  const secret =
    /^otpauth:\/\/totp\/Holdfast:\S+\?secret=([A-Z2-7]{32})&issuer=Holdfast&algorithm=SHA1&digits=6&period=30$/mu.exec(
      stdout,
    )?.[1];
  expect(readTotpKey(key)?.secret).toEqual(fromBase32(secret ?? ''));
  expect(statSync(key).mode & 0o777).toBe(0o600);

  const before = readFileSync(key, 'utf8');
  await expect(run('totp', 'enrol')).rejects.toThrow(
    expect.objectContaining({ code: 'HF_USAGE', message: 'an authenticator is already enrolled' }),
  );
  expect(readFileSync(key, 'utf8')).toBe(before);

  await run('totp', 'remove');
  expect(existsSync(key)).toBe(false);
  await run('totp', 'enrol');
  expect(readFileSync(key, 'utf8')).not.toBe(before);
});

test.each([[['totp']], [['totp', 'list']], [['totp', 'enrol', 'x']]])('%j is a usage error', async (words) => {
  await expect(run(...words)).rejects.toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
});
