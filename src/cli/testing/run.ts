import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Command, CommandIo } from '../command.ts';
import { runToStatus } from '../main.ts';

export interface Scene {
  readonly workspace: string;
  readonly journal: string;
  readonly policy: string;
  /** Runs a command to its end, without this machine's configuration and state. */
  readonly run: (command: Command, ...argv: readonly string[]) => Promise<Ended>;
}

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty workspace with its own state and configuration directories. */
export function scene(environment: Readonly<Record<string, string>> = {}): Scene {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'holdfast-cli-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = realpathSync.native(mkdtempSync(join(root, 'workspace-')));
  const all = {
    PATH: '/usr/bin:/bin',
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
    ...environment,
  };
  return {
    workspace,
    journal: join(root, 'state/holdfast/journal.jsonl'),
    policy: join(root, 'config/holdfast/policy.toml'),
    run: (command, ...argv) => runIn({ cwd: workspace, environment: all }, command, argv),
  };
}

async function runIn(
  place: Pick<CommandIo, 'cwd' | 'environment'>,
  command: Command,
  argv: readonly string[],
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  const status = await runToStatus(command, argv, { ...place, stdout: stream('stdout'), stderr: stream('stderr') });
  return { status, ...written };
}
