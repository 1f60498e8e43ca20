import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { appendEvents } from '../../audit/index.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { findWorkspace } from '../../place/host/workspace.ts';
import { visibleName } from '../../staged/diff/visible-text.ts';
import { parseConsilium, type TrustedDirectory } from '../../trust/consilium/parse-consilium.ts';
import { revokeApprovals } from '../../trust/store/change-trust.ts';
import { readTrust } from '../../trust/store/read-trust.ts';
import type { TrustLevel } from '../../trust/types.ts';
import { type CommandInput, printResult, safeText, optionText, isSet, jsonText } from '../command.ts';
import { approveBundle, type Bundle, consentInAdvance, keepBundle, sessionEnd } from './approve.ts';
import { readNamedFile } from './read-named-file.ts';
import { checkSeen } from './seen-hashes.ts';
import { isApprovable, isApproved, isAtRest, selectNamed, type TrustRow } from './select-rows.ts';
import { trustPlace, workspaceTrust } from './workspace-trust.ts';

export { trustDiffCommand } from './diff.ts';

/**
 * `holdfast trust add [PATH…]`: asks once about all files that need an approval, or about the named ones. Exits with 1 if
 * the answer was no.
 */
export async function trustAddCommand(input: CommandInput, named: readonly string[]): Promise<number> {
  const { io } = input;
  const level = levelOption(input);
  const place = trustPlace(input);
  const seen = consentInAdvance(input, place.root);
  const trust = await workspaceTrust(input, { ...place, look: 'again' });
  const unapproved = selectNamed(trust.rows, named, { ...trust, io }).filter(
    (row) => row.found !== undefined && !isApproved(row),
  );
  // Nobody is asked about files that need no approval, unless someone names them or gives their hashes.
  const rows = unapproved.filter((row) => named.length > 0 || seen?.has(row.path) === true || !isAtRest(row));
  for (const row of rows)
    if (!isApprovable(row)) io.stderr.write(safeText(`holdfast: ${row.path} stays unapproved: ${obstacle(row)}\n`));
  const approvable = rows.filter(isApprovable);
  const open = approvable.filter(({ signer }) => signer === undefined);
  // If the given hashes differ from these files, nothing is approved, not even signed files.
  if (seen !== undefined)
    checkSeen(
      open.flatMap(({ found }) => found ?? []),
      seen,
    );
  const approved = approveSigned({ trust, rows: approvable, level, action: 'approve' });
  const say = sayer(input, { approved, unapproved: rows.filter((row) => !isApprovable(row)) });
  if (open.length === 0) {
    say([], level, approvable.length === 0 ? 'there is nothing to approve\n' : '');
    return approvable.length === rows.length ? 0 : 1;
  }
  const given = await approveBundle({ trust, rows: open, level, action: 'approve' }, input, seen);
  const lines =
    given === undefined
      ? 'nothing was approved; to see and approve it later: holdfast trust diff, holdfast trust add\n'
      : `approved ${count(open)}${given === 'always' ? '' : ` ${sessionEnd(trust.paths)}`}: boxes that start from now on have ${open.length === 1 ? 'it' : 'them'}\n`;
  say(given === undefined ? [] : open, given, lines);
  return given === undefined || approvable.length < rows.length ? 1 : 0;
}

/** Approves files signed by a trusted signer without a question, and returns their rows. */
function approveSigned(bundle: Bundle): readonly TrustRow[] {
  return [...Map.groupBy(bundle.rows, (row) => row.signer)].flatMap(([signer, rows]) => {
    if (signer === undefined) return [];
    keepBundle({ ...bundle, rows, signer }, bundle.level ?? 'always');
    return rows;
  });
}

interface Outcome {
  /** Signed files. */
  readonly approved: readonly TrustRow[];
  readonly unapproved: readonly TrustRow[];
}

/** Reports the approvals: those by signature, and those by a person. */
function sayer(
  input: CommandInput,
  { approved, unapproved }: Outcome,
): (agreed: readonly TrustRow[], level: TrustLevel | undefined, lines: string) => void {
  return (agreed, level, lines) => {
    const signed = [...Map.groupBy(approved, ({ signer }) => signer)].map(
      ([signer, rows]) => `approved ${count(rows)}, signed by ${signer}\n`,
    );
    const json = {
      level: level ?? (approved.length > 0 ? 'always' : null),
      approved: [...approved, ...agreed].map(({ path, found, signer }) => ({ path, sha256: found?.sha256, signer })),
      unapproved: unapproved.map((row) => ({ path: row.path, reason: obstacle(row) })),
    };
    printResult(input, json, `${signed.join('')}${lines}`);
  };
}

function count({ length }: readonly TrustRow[]): string {
  return length === 1 ? '1 file' : `${length} files`;
}

function levelOption({ values }: CommandInput): TrustLevel | undefined {
  const level = optionText(values['level']);
  if (level === undefined || level === 'session' || level === 'always') return level;
  throw new HoldfastError('HF_USAGE', `expected session or always after --level, got ${JSON.stringify(level)}`, {
    remedy: 'use --level session',
  });
}

function obstacle({ rule, found }: TrustRow): string {
  return rule === undefined
    ? (found?.problem ?? 'it cannot be read')
    : `the rule ${rule.name} in ${rule.file}:${rule.line} denies it`;
}

/**
 * `holdfast trust import FILE`: finds, shows and asks about files that Consilium trusted by path, one bundle for each
 * directory. Consilium approved names, and Holdfast approves bytes. Exits with 1 if a part was not approved.
 */
export async function trustImportCommand(input: CommandInput, named: readonly string[]): Promise<number> {
  const [file, ...more] = named;
  if (file === undefined || more.length > 0)
    throw new HoldfastError('HF_USAGE', 'expected one file to import', {
      remedy: 'write `holdfast trust import ~/.consilium/trust.json`',
    });
  // Checks before any question that this is no box, and that a person can be asked.
  const { root } = trustPlace(input);
  consentInAdvance(input, root);
  const path = resolve(input.io.cwd, file);
  const directories = parseConsilium(readNamedFile(path), path);
  const json = isSet(input.values['json']);
  const say = (lines: string): void => void (json || input.io.stdout.write(safeText(lines)));
  const imported: Imported[] = [];
  for (const directory of directories) imported.push(await importDirectory(directory, input, say));
  if (json) input.io.stdout.write(jsonText({ directories: imported }));
  else if (directories.length === 0) say(`${path} trusts nothing\n`);
  return imported.every(({ outcome }) => outcome === 'approved') ? 0 : 1;
}

interface Imported {
  readonly path: string;
  /** `approved`: everything, or there was nothing to approve. */
  readonly outcome: 'approved' | 'declined' | 'absent';
  readonly approved: readonly string[];
}

async function importDirectory(
  { path, level, trustedAt }: TrustedDirectory,
  input: CommandInput,
  say: (lines: string) => void,
): Promise<Imported> {
  const { io } = input;
  const root = workspaceAt(path);
  if (root === undefined) {
    io.stderr.write(
      safeText(`holdfast: ${path} is left out: there is no such directory any more, or it can be no workspace\n`),
    );
    return { path, outcome: 'absent', approved: [] };
  }
  const trust = await workspaceTrust(input, { root, paths: trustPlace(input).paths, look: 'again' });
  const rows = trust.rows.filter(
    (row) =>
      isApprovable(row) && !isApproved(row) && `${join(root, row.path)}/`.startsWith(`${realpathSync.native(path)}/`),
  );
  say(
    `${path} was trusted as a whole (${level}, ${new Date(trustedAt).toISOString().slice(0, 10)}): ${rows.length === 0 ? 'there is nothing to approve' : `${rows.length} to approve`}\n`,
  );
  if (rows.length === 0) return { path, outcome: 'approved', approved: [] };
  const given = await approveBundle({ trust, rows, level, action: 'import' }, input);
  say(given === undefined ? 'nothing was approved\n' : `approved ${rows.length}\n`);
  return given === undefined
    ? { path, outcome: 'declined', approved: [] }
    : { path, outcome: 'approved', approved: rows.map((row) => row.path) };
}

function workspaceAt(path: string): string | undefined {
  try {
    return findWorkspace({ cwd: path, home: homedir() }).root;
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

/**
 * `holdfast trust remove PATH… | --all`: removes approvals of both levels, and stored bytes that no other approval
 * uses.
 */
export function trustRemoveCommand(input: CommandInput, named: readonly string[]): number {
  const { root, paths } = trustPlace(input);
  if (isSet(input.values['all']) === named.length > 0)
    throw new HoldfastError('HF_USAGE', 'expected paths, or --all', {
      remedy: 'write `holdfast trust remove .mcp.json`',
    });
  const chosen = new Set(
    selectNamed(readTrust(paths, root).entries, named, { root, io: input.io }).map(({ path }) => path),
  );
  const gone = revokeApprovals(paths, {
    workspace: root,
    revoked: ({ path }) => chosen.has(path),
    journal: (entries) =>
      appendEvents(paths.journal, [
        {
          type: 'trust.decided',
          workspace: root,
          action: 'revoke',
          files: entries.map(({ path, sha256, surface }) => ({ path, sha256, surface })),
        },
      ]),
  });
  const lines = gone
    .map(({ path, level }) => `revoked ${level.padEnd(7)} ${visibleName(Buffer.from(path))}\n`)
    .join('');
  printResult(
    input,
    { revoked: gone.map(({ path, level, sha256 }) => ({ path, level, sha256 })) },
    `${lines}${gone.length === 0 ? 'nothing was approved here\n' : 'commands that run have it until they end; those that start from now on do not\n'}`,
  );
  return 0;
}
