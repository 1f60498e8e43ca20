import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { findWorkspace } from '../../place/host/workspace.ts';
import { parseConsilium, type TrustedDirectory } from '../../trust/consilium/parse-consilium.ts';
import { type CommandInput, isSet, jsonText, safeText } from '../command.ts';
import { approveBundle, consentInAdvance } from './approve.ts';
import { readNamedFile } from './read-named-file.ts';
import { isApprovable, isApproved } from './select-rows.ts';
import { trustPlace, workspaceTrust } from './workspace-trust.ts';

/**
 * `holdfast trust import FILE`: finds, shows and asks about files that Consilium trusted by path, one bundle for each
 * directory. Its approval was of names, ours is of bytes. Exits with 1 if a part was not approved.
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
