import { isContinuousIntegration } from '../../approvals/session/continuous-integration.ts';
import { appendEvents } from '../../audit/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { StatePaths } from '../../place/host/state-paths.ts';
import { trustGrants } from '../../trust/store/approvals-of.ts';
import { keepApprovals } from '../../trust/store/change-trust.ts';
import type { FoundFile, TrustLevel } from '../../trust/types.ts';
import type { CommandInput } from '../command.ts';
import { describeRow, patchesOf } from './diff.ts';
import { checkSeen, seenHashes, type SeenHashes } from './seen-hashes.ts';
import type { TrustRow } from './select-rows.ts';
import type { WorkspaceTrust } from './workspace-trust.ts';

export interface Bundle {
  readonly trust: Pick<WorkspaceTrust, 'root' | 'paths'>;
  /** No row is gone or refused by a rule. */
  readonly rows: readonly TrustRow[];
  /** Undefined: the person chooses it. */
  readonly level: TrustLevel | undefined;
  readonly action: 'approve' | 'import';
  /** Name of the signer. Undefined if a person approves. */
  readonly signer?: string;
}

/**
 * Shows the effects of a whole bundle, asks once, and keeps the approvals. Returns the level, or undefined if the
 * answer was no.
 */
export async function approveBundle(
  bundle: Bundle,
  input: CommandInput,
  seen = consentInAdvance(input, bundle.trust.root),
): Promise<TrustLevel | undefined> {
  const files = filesOf(bundle.rows);
  const level = seen === undefined ? await ask(bundle, input) : (checkSeen(files, seen), bundle.level ?? 'always');
  if (level !== undefined) keepBundle(bundle, level);
  return level;
}

/**
 * Returns the hashes given with `--yes`, because nobody can approve unseen files. Undefined: asks a person. Throws
 * `HF_USAGE`.
 */
export function consentInAdvance(input: CommandInput, root: string): SeenHashes | undefined {
  const { values } = input;
  const seen = seenHashes(input, root);
  if (values['yes'] === true && seen === undefined)
    throw new HoldfastError('HF_USAGE', '--yes approves only files whose hashes are given', {
      remedy:
        'give --sha256 PATH=HASH for each file, or --from FILE with reviewed output of `holdfast trust status --json`',
    });
  if (seen !== undefined && values['yes'] !== true)
    throw new HoldfastError('HF_USAGE', '--sha256 and --from need --yes', {
      remedy: 'add --yes, or leave them out and answer at the terminal',
    });
  return seen;
}

function filesOf(rows: readonly TrustRow[]): readonly FoundFile[] {
  return rows.flatMap(({ found }) => found ?? []);
}

async function ask(bundle: Bundle, { io }: CommandInput): Promise<TrustLevel | undefined> {
  if (isContinuousIntegration(io.environment))
    throw new HoldfastError('HF_TRUST_REFUSED', 'CI has no one to ask', {
      remedy: 'use --yes with --sha256 PATH=HASH or --from FILE',
    });
  const { rows, trust } = bundle;
  const answer = await askLevel(bundle, {
    title: `approve ${rows.length === 1 ? '1 file' : `${rows.length} files`} of ${trust.root}?`,
    no: 'approve nothing',
  });
  if (answer === 'absent')
    throw new HoldfastError('HF_TRUST_REFUSED', 'there is no terminal to ask at', {
      remedy: 'use --yes with --sha256 PATH=HASH or --from FILE',
    });
  return answer === 'no' || answer === 'interrupted' ? undefined : answer;
}

export interface LevelQuestion {
  readonly title: string;
  /** The meaning of the answer no. */
  readonly no: string;
}

/** Shows the effects of a whole bundle, and asks once at the terminal. */
export async function askLevel(
  { rows, trust, level }: Bundle,
  { title, no }: LevelQuestion,
): Promise<TrustLevel | 'no' | 'interrupted' | 'absent'> {
  const { askAtTerminal } = await import('../../approvals/prompt/ask-at-terminal.ts');
  const answer = await askAtTerminal({
    title,
    lines: rows.flatMap((row) => [...describeRow(row), ...patchesOf(row, trust)]).map(({ text }) => text),
    choices: [
      ...levelChoices(trust.paths).filter(({ key }) => level === undefined || level === levels[key]),
      { key: 'n', label: no },
    ],
  });
  if (answer.kind === 'chosen') return levels[answer.key] ?? 'no';
  return answer.because === 'interrupted' ? 'interrupted' : 'absent';
}

function levelChoices(paths: SessionPaths): readonly { readonly key: string; readonly label: string }[] {
  return [
    { key: 'a', label: 'approve them, until one changes' },
    { key: 's', label: `approve them ${sessionEnd(paths)}` },
  ];
}

type SessionPaths = Pick<StatePaths, 'runtime' | 'state'>;

/** Returns when the level `session` ends. Without a login directory, nothing ends it. */
export function sessionEnd({ runtime, state }: SessionPaths): string {
  return runtime.startsWith(`${state}/`)
    ? 'until they are removed, because there is no XDG_RUNTIME_DIR that ends with the login'
    : 'until you log out';
}

const levels: Readonly<Record<string, TrustLevel>> = { a: 'always', s: 'session' };

/** Journals approvals before they take effect. */
export function keepBundle({ trust: { root, paths }, rows, action, signer }: Bundle, level: TrustLevel): void {
  const files = filesOf(rows);
  const signed = signer === undefined ? {} : { signer };
  const approvals = trustGrants(files, { root, level, now: new Date(), ...signed });
  const journalled = files.map(({ path, sha256, surface }) => ({ path, sha256, surface: surface.name }));
  keepApprovals(paths, {
    workspace: root,
    level,
    approvals,
    journal: () =>
      appendEvents(paths.journal, [
        { type: 'trust.decided', workspace: root, action, level, ...signed, files: journalled },
      ]),
  });
}
