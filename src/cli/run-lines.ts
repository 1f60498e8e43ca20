import { statSync } from 'node:fs';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { HoldfastError } from '../errors/index.ts';
import type { Place } from '../place/place.ts';
import type { ConfigurationCopies } from '../place/shown-files.ts';
import type { StagedSummary } from '../staged/session/staging.ts';
import { environmentNotice } from '../session/session-options.ts';
import type { Reader, ShownStreams } from '../session/shown-output.ts';
import type { EndedBox } from '../session/running-box.ts';
import type { Session } from '../session/session.ts';
import { type CommandInput, type CommandIo, optionTexts, safeLine, safeText } from './command.ts';

/** Passes on a person's input, for a command that must not have the terminal. */
export function typeInto(stdin: Writable | null): void {
  if (stdin === null) return;
  // The command may end, or close its input, before the person stops typing.
  stdin.on('error', () => undefined);
  process.stdin.pipe(stdin);
}

export function noSuchReader(show: string): HoldfastError {
  return new HoldfastError('HF_USAGE', `expected model or person after --show, got ${JSON.stringify(show)}`, {
    remedy: 'use --show model',
  });
}

/**
 * Throws `HF_USAGE` for options that would grant nothing. A path must exist, because a mount needs it, as in `bwrap
 * --bind`; but the command may create one in the workspace. A variable is a name alone, unlike in `docker run`.
 */
export function refuseEmptyGrants({ values }: Pick<CommandInput, 'values'>, place: Place): void {
  const pair = optionTexts(values['env']).find((each) => each.includes('='));
  const name = pair?.split('=')[0];
  if (name !== undefined)
    throw new HoldfastError('HF_USAGE', '--env takes the name of a variable, without a value', {
      remedy: `set it before the command: ${name}=… holdfast run --env ${name} …`,
    });
  refuseMissing(values, place);
}

function refuseMissing(values: CommandInput['values'], { grants, workspace }: Place): void {
  for (const [option, paths = []] of [
    ['read', grants.read],
    ['write', grants.write],
    ['socket', grants.sockets],
  ] as const)
    for (const [index, typed] of optionTexts(values[option]).entries()) {
      const path = paths[index];
      if (path === undefined || path.startsWith('@') || path.startsWith(`${workspace.root}/`)) continue;
      const trouble = missingPath(path);
      if (trouble !== undefined)
        throw new HoldfastError('HF_USAGE', `--${option} ${typed} grants nothing: ${trouble.message}`, trouble);
    }
}

function missingPath(path: string): { readonly message: string; readonly remedy: string } | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { message: 'the path does not exist', remedy: 'check the spelling, or create it first' }
      : { message: `you cannot reach the path (${code})`, remedy: 'check its permissions' };
  }
}

interface ToShow {
  readonly session: Session;
  readonly argv: readonly string[];
  readonly show: Reader;
}

/** If nobody reads any more, `io` would end this process before the command has ended. So it is used last. */
export async function showOutput(streams: ShownStreams, { session, argv, show }: ToShow, io: CommandIo): Promise<void> {
  const [findings, { describeFindings, noteShown }] = await Promise.all([
    streams.show(),
    import('../session/shown-output.ts'),
  ]);
  noteShown(session, { argv, reader: show, findings });
  if (findings.length > 0 && process.stderr.writable)
    io.stderr.write(`holdfast: the output has hidden characters: ${describeFindings(findings)}\n`);
}

/** Secrets that enter the box because their names are listed. */
export function environmentText({ plan, environment }: Session): string {
  return environmentNotice(plan, environment)
    .map((each) => safeText(`holdfast: ${each}\n`))
    .join('');
}

/** Files that the command gets without their secrets. */
export function copiesText(copies: ConfigurationCopies['copies']): string {
  return safeText(
    `holdfast: the command sees copies without secrets: ${copies.map(({ label }) => label).join(', ')}\n`,
  );
}

/** Refusals and leftovers of a command, one line each. */
export async function aftermathText({
  refusals,
  quarantined,
  noticed,
}: Pick<EndedBox, 'refusals' | 'quarantined' | 'noticed'>): Promise<string> {
  const { refusalLine } = refusals.length > 0 ? await import('../place/refusals/describe.ts') : { refusalLine: String };
  return [
    ...refusals.map((refusal) => safeLine(refusalLine(refusal))),
    ...quarantined.map(({ path, movedTo, reason }) =>
      safeLine(`holdfast: moved ${path} to ${movedTo}, because ${reason}`),
    ),
    ...noticed.map((line) => safeLine(`holdfast: ${line}`)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Root without capabilities has no rights in another user's workspace. Only a mount makes it the owner. */
export function ownerText(root: string): string {
  const { uid } = statSync(root);
  return uid === 0
    ? ''
    : `holdfast: ${root} belongs to another user (uid ${uid}), and the landlock backend cannot write there for root: run holdfast as that user, or with --backend native\n`;
}

/** The end of a run whose writes are staged. */
export function stagedText({ id, changed, counted, layer, disk, foreign }: StagedSummary): string {
  return [
    ...(disk === 'full'
      ? ['holdfast: the disk that holds the staged layer is full: the last writes of the command may be missing']
      : []),
    ...foreign.map((root) =>
      safeText(
        `holdfast: ${root} has files of another user or group: a staged run can read but not change them (EOVERFLOW)`,
      ),
    ),
    layer === 'removed'
      ? 'holdfast: nothing was changed'
      : `holdfast: ${counted === 'about' ? 'about ' : ''}${changed} ${changed === 1 ? 'path' : 'paths'} changed, none on the host yet: holdfast review ${id}`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}
