import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ApprovalRequest, Approve } from '../../../approvals/session/approve.ts';
import { sessionApprovals } from '../../../approvals/session/session-approvals.ts';
import { readEvents } from '../../../audit/index.ts';
import type { PinnedProgram } from '../../../notify/types.ts';
import { type Place, readPlace } from '../../../place/place.ts';
import type { FileIdentity, Mount } from '../../../plan/mount.ts';
import type { Admitted, Entering } from '../admission.ts';
import { openCommandGuard } from '../command-guard.ts';

/** A guard of a workspace that a test can inspect. */
export interface Guarded {
  readonly place: Place;
  readonly workspace: string;
  /** A directory outside of the workspace, where the box changes nothing. */
  readonly tools: string;
  readonly pinned: readonly PinnedProgram[];
  readonly enter: (argv: readonly string[], more?: Partial<Entering>) => Promise<Admitted>;
  readonly asked: readonly ApprovalRequest[];
}

const identity: FileIdentity = { device: '1', inode: '1', type: 'directory' };
const bind = (target: string, access: 'read-only' | 'read-write'): Mount => ({
  kind: 'bind',
  source: target,
  target,
  access,
  ownership: 'as-is',
  identity,
  presence: 'required',
});

/**
 * `policy` is the user's, without its first line. `answer` is the answer of a person. Undefined: no person is there.
 */
export function guarded(
  policy: string,
  answer?: Awaited<ReturnType<Approve>>,
  hostPath?: (root: string) => string,
): Guarded {
  const root = mkdtempSync('/var/tmp/holdfast-guard-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, 'workspace');
  const tools = join(root, 'tools');
  for (const directory of ['tools', 'workspace/.bin', 'config/holdfast', 'state'])
    mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(root, 'config/holdfast/policy.toml'), `version = 1\n${policy}`);
  writeFileSync(join(workspace, '.bin/git'), '', { mode: 0o755 });
  const place = readPlace({
    cwd: workspace,
    workspace,
    environment: { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state') },
  });
  const asked: ApprovalRequest[] = [];
  const approve: Approve | undefined =
    answer === undefined ? undefined : (request) => Promise.resolve((asked.push(request), answer));
  const approvals = sessionApprovals({
    session: 'test',
    place,
    environment: { CI: 'true' },
    approve,
    terminal: 'none',
  });
  onTestFinished(() => approvals.close());
  const guard = openCommandGuard({
    session: 'test',
    place,
    mounts: [bind('/usr', 'read-only'), bind(tools, 'read-only'), bind(workspace, 'read-write')],
    path: '/usr/bin:/bin',
    approvals,
    hostPath: hostPath?.(root),
  });
  const enter = async (argv: readonly string[], more: Partial<Entering> = {}): Promise<Admitted> => {
    const admission = guard.admit({ argv, cwd: workspace, environment: {}, ...more });
    return admission.kind === 'admitted' ? admission.command : admission.answer();
  };
  return { place, workspace, tools, pinned: guard.pinned, enter, asked };
}

export const refused = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as unknown;
export const failureOf = (entered: Promise<Admitted>): Promise<unknown> =>
  entered.then(
    () => 'it entered',
    (error: unknown) => error,
  );
export const journalOf = ({ place }: Guarded) =>
  readEvents(place.paths.journal).map((event) => (event.type === 'enforcement' ? event.outcome : event.type));
