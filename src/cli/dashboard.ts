import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { watchApprovals } from '../approvals/index.ts';
import { type Dashboard, startDashboard } from '../dashboard/server/start.ts';
import { findInstallation } from '../place/host/installation.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { llmOf } from '../policy/llm/llm-of.ts';
import { type Command, type CommandInput, isSet, portOf, printResult } from './command.ts';
import { commandPlace } from './policy/explain.ts';

const usage = `usage: holdfast dashboard [--port N] [--no-open] [--json]

Serves a page on 127.0.0.1 that shows sessions, refusals, connections, model usage and the journal live. You can answer
approvals and review staged changes on it. The command prints a link that works once. It runs until you interrupt it,
or until half an hour after the last page was closed.

  --port N   use this port (default: a free one)
  --no-open  only print the link
  --json     print the link as a JSON object

At a terminal, Enter prints a new link.`;

export const dashboardCommand: Command = {
  name: 'dashboard',
  usage,
  options: { port: { type: 'string' }, 'no-open': { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: 'none',
  run: serve,
};

async function serve(input: CommandInput): Promise<number> {
  const { values, io } = input;
  const paths = statePaths(homedir(), io.environment);
  const dashboard = await startDashboard({
    port: portOf(values['port']),
    assets: join(findInstallation().root, 'dist/dashboard'),
    ground: { paths, environment: io.environment },
    settings: async () => llmOf((await import('../place/planner.ts')).policyOfPlace(commandPlace(input))),
    approvals: (changed) => watchApprovals({ runtime: paths.runtime, channel: 'dashboard', onChange: changed }),
  });
  const link = dashboard.link();
  printResult(input, { link }, `${link}\n`);
  if (!isSet(values['no-open'])) openInBrowser(link, { directory: paths.runtime, environment: io.environment });
  await untilEnd(dashboard, input);
  await dashboard.close();
  return 0;
}

async function untilEnd(dashboard: Dashboard, { values, io }: CommandInput): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  if (process.stdin.isTTY && !isSet(values['json']))
    process.stdin.on('data', () => io.stdout.write(`${dashboard.link()}\n`));
  await Promise.race([interrupted, dashboard.ended]);
}

/**
 * Opens a link in the user's browser, if there is a desktop. Every user of the machine can read command lines, so the
 * link stays out of them. The browser gets a file that only this user can read, which leads on to the link. The file is
 * gone when the process ends.
 */
function openInBrowser(
  link: string,
  {
    directory,
    environment,
  }: { readonly directory: string; readonly environment: Readonly<Record<string, string | undefined>> },
): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (
    process.platform !== 'darwin' &&
    environment['DISPLAY'] === undefined &&
    environment['WAYLAND_DISPLAY'] === undefined
  )
    return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `dashboard-${process.pid}.html`);
  rmSync(file, { force: true });
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${link}"><title>Holdfast</title>\n`,
    { mode: 0o600, flag: 'wx' },
  );
  process.once('exit', () => rmSync(file, { force: true }));
  // Without such a program, the printed link remains.
  spawn(opener, [file], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
