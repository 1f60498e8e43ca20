import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { isHoldfastError } from '../../errors/index.ts';
import { statePaths, type StatePaths } from '../../place/host/state-paths.ts';
import { findWorkspace } from '../../place/host/workspace.ts';
import { readPolicyTexts } from '../../place/policy-texts.ts';
import { trustStatus } from '../../trust/decide/trust-status.ts';
import { discover } from '../../trust/discover/discover.ts';
import { recordName } from '../../trust/store/layout.ts';
import { readOwnFile } from '../../trust/store/write-own-file.ts';
import { readTrust } from '../../trust/store/read-trust.ts';
import { hasSigners } from '../../trust/signatures/signers.ts';
import type { Discovery, TrustRecord, TrustStatus } from '../../trust/types.ts';
import { type CommandInput, optionText } from '../command.ts';
import type { TrustRow } from './select-rows.ts';

/** A repository, its approvals, and the state of each file. */
export interface WorkspaceTrust {
  readonly root: string;
  readonly paths: StatePaths;
  readonly discovery: Discovery;
  readonly record: TrustRecord;
  /** Sorted by path. */
  readonly rows: readonly TrustRow[];
}

export interface WorkspacePlace {
  readonly root: string;
  readonly paths: StatePaths;
}

export function trustPlace({ values, io }: CommandInput): WorkspacePlace {
  const workspace = optionText(values['workspace']);
  const { root } = findWorkspace({
    cwd: io.cwd,
    home: homedir(),
    ...(workspace === undefined ? {} : { root: resolve(io.cwd, workspace) }),
  });
  return { root, paths: statePaths(homedir(), io.environment) };
}

export interface TrustLook extends WorkspacePlace {
  /** `again` reads every file, which an approval requires. `remembered` reads only files that seem to have changed. */
  readonly look: 'again' | 'remembered';
}

/** Reads the record first, so that an untrusted one is reported before any search. */
export async function workspaceTrust(input: CommandInput, { root, paths, look }: TrustLook): Promise<WorkspaceTrust> {
  const record = readTrust(paths, root);
  const discovery = await (look === 'again' ? discover(root) : rememberedDiscovery({ root, paths }));
  return {
    root,
    paths,
    discovery,
    record,
    rows: await withSigners(await withRules(trustStatus(discovery, record), { root, paths }, input), { root, paths }),
  };
}

/** Most policies have no rules about trust, and parsing one takes longer than everything else here. */
async function withRules(
  statuses: readonly TrustStatus[],
  { root, paths }: WorkspacePlace,
  input: CommandInput,
): Promise<readonly TrustRow[]> {
  if (!readPolicyTexts(paths, root).some(({ text: written }) => mayHaveRules.test(written))) return statuses;
  const { ruledRows } = await import('./ruled-rows.ts');
  return ruledRows(statuses, root, input);
}

/** Few people trust signers, and the code for signatures takes long to load. */
async function withSigners(rows: readonly TrustRow[], { root, paths }: WorkspacePlace): Promise<readonly TrustRow[]> {
  if (!hasSigners(paths)) return rows;
  const { signedRows } = await import('./signed-rows.ts');
  return signedRows(rows, root, paths);
}

/** A TOML key may contain escapes. */
const mayHaveRules = /trust|\\u/iu;

/** Returns the current files with the help of the last discovery. For showing, never for approving. */
async function rememberedDiscovery({ root, paths }: WorkspacePlace): Promise<Discovery> {
  const directory = join(paths.state, 'discovered');
  const file = join(directory, recordName(root));
  const before = recall(file);
  const discovery = await discover(root, before === undefined ? {} : { memory: before });
  const after = discovery.memory();
  if (after !== before) remember(directory, file, after);
  return discovery;
}

/** Bytes. */
const longest = 256 << 20;

/** Ignores a memory that someone else could have written. */
function recall(file: string): string | undefined {
  try {
    return readOwnFile(file, longest)?.toString();
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

/** A lost memory costs a moment the next time, so an unwritable directory is not a failure. */
function remember(directory: string, file: string, text: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
