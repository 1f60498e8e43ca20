import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { PendingApproval } from '../../src/approvals/index.ts';
import type { Project } from './holdfast.ts';

export interface Running {
  readonly child: ChildProcess;
  /** Output on both streams so far. */
  readonly printed: () => string;
  readonly status: Promise<number | null>;
}

/** Follows a process without input, which ends with the test. */
export function running(child: ChildProcess): Running {
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin?.on('error', () => undefined).end();
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { child, printed: () => printed, status: new Promise((resolve) => child.once('close', resolve)) };
}

/** A watching session in another terminal, so that someone can answer. */
export async function watching(project: Project): Promise<Running> {
  const watch = running(project.start(['approvals', 'watch']));
  await vi.waitFor(() => expect(existsSync(join(project.state, 'run/approvals'))).toBe(true), { timeout: 20_000 });
  return watch;
}

/** Pending requests, oldest first. */
export function waiting(project: Project): readonly PendingApproval[] {
  return (
    JSON.parse(project.holdfast(['approvals', 'list', '--json']).stdout) as {
      readonly approvals: readonly PendingApproval[];
    }
  ).approvals;
}

/** Waits for a pending request, and returns it. */
export function asked(
  project: Project,
  isIt: (approval: PendingApproval) => boolean = () => true,
): Promise<PendingApproval> {
  return vi.waitFor(
    () => {
      const found = waiting(project).find(isIt);
      if (found === undefined) throw new Error('nothing waits');
      return found;
    },
    { timeout: 45_000, interval: 100 },
  );
}
