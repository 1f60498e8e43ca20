import { HoldfastError } from '../../errors/index.ts';
import type { TrustLevel } from '../../trust/types.ts';
import { type CommandInput, printResult, safeText, optionText } from '../command.ts';
import { approveBundle, type Bundle, consentInAdvance, keepBundle, sessionEnd } from './approve.ts';
import { checkSeen } from './seen-hashes.ts';
import { isApprovable, isApproved, selectNamed, type TrustRow } from './select-rows.ts';
import { trustPlace, workspaceTrust } from './workspace-trust.ts';

/**
 * `holdfast trust add [PATH…]`: asks once about all unapproved files, or the named ones. Exits with 1 if the answer was
 * no.
 */
export async function trustAddCommand(input: CommandInput, named: readonly string[]): Promise<number> {
  const { io } = input;
  const level = levelOption(input);
  const place = trustPlace(input);
  const seen = consentInAdvance(input, place.root);
  const trust = await workspaceTrust(input, { ...place, look: 'again' });
  const rows = selectNamed(trust.rows, named, { ...trust, io }).filter(
    (row) => row.found !== undefined && !isApproved(row),
  );
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
      ? 'nothing was approved\n'
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
