import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { binary, type Project } from './holdfast.ts';

const executablePath = '/usr/bin/chromium';
export const hasChromium = existsSync(executablePath);

/** As root, Chromium cannot have its own sandbox. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** A project's `holdfast dashboard`, until its disposal. */
export class RunningDashboard {
  readonly child: ChildProcess;
  /** The printed link. */
  readonly link: string;

  private constructor(child: ChildProcess, link: string) {
    this.child = child;
    this.link = link;
  }

  static async start(
    project: Pick<Project, 'workspace' | 'environment'>,
    args: readonly string[] = [],
  ): Promise<RunningDashboard> {
    const child = spawn(binary, ['dashboard', '--no-open', ...args], {
      cwd: project.workspace,
      env: project.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return new RunningDashboard(child, line.toString().trim());
  }

  get origin(): string {
    return new URL(this.link).origin;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

/** Milliseconds. Reports a missing event before the test's own limit. */
const patience = 8000;

/** Forbidden actions of a page. */
export interface Watched {
  readonly page: Page;
  readonly problems: readonly string[];
}

/**
 * A page that opens `link`, and a list of its violations: requests elsewhere, violations of its policy, dialogs,
 * errors.
 */
export async function openPage(browser: Browser, link: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const problems: string[] = [];
  const { origin } = new URL(link);
  page.on(
    'request',
    (request) =>
      void (
        request.url().startsWith(`${origin}/`) ||
        request.url().startsWith('blob:') ||
        problems.push(`request to ${request.url()}`)
      ),
  );
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => void problems.push(`error: ${error.message}`));
  page.on('console', (message) => void (message.type() === 'error' && problems.push(`console: ${message.text()}`)));
  await page.goto(link);
  return { page, problems };
}
