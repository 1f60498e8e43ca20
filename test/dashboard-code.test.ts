import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { counterAt, oneTimeCode, readTotpKey } from '../src/approvals/totp/key-file.ts';
import { hasChromium, openPage, RunningDashboard, startChromium } from './lib/dashboard.ts';
import { Project } from './lib/holdfast.ts';

test.skipIf(!hasChromium)(
  'a rule that requires a code accepts one of the authenticator, once, and always writes the displayed rule',
  async () => {
    using project = new Project();
    const policy = project.write(
      '../home/.config/holdfast/policy.toml',
      '# mine\nversion = 1\n[approvals]\ntotp = ["ask-notes"]\n[[file]]\nname = "ask-notes"\ndecision = "ask"\noperations = ["write", "create"]\npaths = ["notes"]\n',
    );
    const before = readFileSync(policy, 'utf8');
    const note = join(project.workspace, 'notes');
    expect(project.holdfast(['approvals', 'totp', 'enrol']).status).toBe(0);
    const key = readTotpKey(join(project.state, 'totp.key')) ?? { secret: Buffer.alloc(0), algorithm: 'SHA-1' };
    const code = (step: number): string => oneTimeCode(key, counterAt(Date.now()) + step);
    await using browser = await startChromium();
    await using dashboard = await RunningDashboard.start(project);
    const { page, problems } = await openPage(browser, dashboard.link);
    await page.getByText('Live', { exact: true }).waitFor();
    const card = page.getByRole('article');
    const write = (): Promise<unknown> => once(project.start(['run', '--', 'sh', '-c', 'echo words > notes']), 'exit');
    const press = (name: string): Promise<void> => card.getByRole('button', { name, exact: true }).click();
    const fill = (text: string): Promise<void> => card.getByRole('textbox', { name: 'Six-digit code' }).fill(text);

    const first = write();
    await press('Allow once');
    await card.getByText('asks for a code').waitFor();
    await fill(code(1000));
    await press('Allow once');
    await card.getByText('The code is wrong').waitFor();
    expect(existsSync(note)).toBe(false);
    const used = code(0);
    await fill(used);
    await press('Allow once');
    expect(await first).toEqual([0, null]);
    expect(readFileSync(note, 'utf8')).toBe('words\n');
    await card.waitFor({ state: 'detached' });

    rmSync(note);
    const second = write();
    await press('Always …');
    const rule = (await card.locator('.always pre').textContent()) ?? '';
    expect(rule).toContain('notes');
    await fill(used);
    await press('Add the rule and allow');
    await card.getByText('was used before').waitFor();
    expect([existsSync(note), readFileSync(policy, 'utf8')]).toEqual([false, before]);
    await press('Always …');
    await fill(code(1));
    await press('Add the rule and allow');
    expect(await second).toEqual([0, null]);
    expect(readFileSync(policy, 'utf8')).toContain(rule.trim());
    expect(readFileSync(policy, 'utf8').replace(rule.trim(), '').replaceAll('\n', '')).toBe(
      before.replaceAll('\n', ''),
    );

    rmSync(note);
    expect(await write()).toEqual([0, null]);
    expect(await card.count()).toBe(0);
    expect(problems).toEqual([]);
  },
);
