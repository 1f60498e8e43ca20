import { constants } from 'node:os';
import { isHoldfastError, type HoldfastError } from '../../errors/index.ts';
import { KernelError, noReplace } from '../../kernel/index.ts';
import type { KeepRequest } from '../../trash/entry-file.ts';
import { atRemoveDirectory, type FileCall } from '../calls/file-calls.ts';
import type { FileJudgement } from '../judge/judge-files.ts';
import { openFlags } from '../perform/open-flags.ts';
import { lookUpEntry } from '../perform/side.ts';
import { toBytes } from '../view/byte-text.ts';
import type { Supervision, SupervisorOptions } from './context.ts';

export interface LosingCall {
  readonly call: FileCall;
  readonly first: string;
  readonly second: string;
  readonly judgements: readonly FileJudgement[];
}

/** `done`: keeping the file has already deleted it. */
export type KeepOutcome = 'done' | 'to-do';

/**
 * Keeps a file that a call under a `stage` rule would lose. A descriptor for writing can change the whole file, so this
 * keeps its content first. Throws if it cannot keep the file, and then nothing is lost.
 */
export function keepWhatIsLost(supervision: Supervision, losing: LosingCall): KeepOutcome {
  const { call, first, second, judgements } = losing;
  const staged = (path: string): FileJudgement | undefined =>
    judgements.find((judgement) => judgement.path === path && judgement.treatment === 'stage');
  switch (call.kind) {
    case 'remove':
      // `rmdir` of a file fails, so nothing has to be kept.
      return (call.flags & atRemoveDirectory) !== 0
        ? 'to-do'
        : keep(supervision, { judgement: staged(first), cause: 'deleted', how: 'take' });
    case 'rename':
      // No rule keeps the file at its new path: another box could delete it there.
      if (staged(second) === undefined) keep(supervision, { judgement: staged(first), cause: 'deleted', how: 'copy' });
      if ((call.flags & noReplace) !== 0) return 'to-do';
      keep(supervision, { judgement: staged(second), cause: 'overwritten', how: 'copy' });
      return 'to-do';
    case 'truncate':
      keep(supervision, { judgement: staged(first), cause: 'truncated', how: 'copy' });
      return 'to-do';
    case 'open':
      if ((call.flags & openFlags.exclusive) !== 0) return 'to-do';
      keep(supervision, {
        judgement: staged(first),
        cause: (call.flags & openFlags.truncate) === 0 ? 'overwritten' : 'truncated',
        how: 'copy',
      });
      return 'to-do';
    case 'make-directory':
    case 'make-node':
    case 'link':
    case 'symlink':
    case 'mode':
    case 'owner':
    case 'times':
    case 'set-attribute':
    case 'remove-attribute':
      return 'to-do';
  }
}

interface Keeping {
  readonly judgement: FileJudgement | undefined;
  readonly cause: 'deleted' | 'overwritten' | 'truncated';
  readonly how: 'take' | 'copy';
}

function keep({ options, host }: Supervision, { judgement, cause, how }: Keeping): KeepOutcome {
  if (judgement === undefined) return 'to-do';
  const there = lookUpEntry(host, judgement.path);
  // Overwriting an empty file loses nothing, and only an empty directory can be replaced.
  if (there === undefined || (how === 'copy' && cause !== 'deleted' && (there.size === 0n || there.isDirectory())))
    return 'to-do';
  const entry = keepOrRefuse(options, judgement, {
    path: toBytes(judgement.path),
    workspace: options.workspace,
    session: options.session,
    cause,
    how,
  });
  options.report({ kind: 'kept', entry, request: judgement.request, verdict: judgement.verdict });
  return how === 'take' ? 'done' : 'to-do';
}

/** Reports the failure, because nobody expects a `stage` rule to refuse a deletion. */
function keepOrRefuse(
  { keep: keepIt, report }: SupervisorOptions,
  { request, verdict }: FileJudgement,
  what: KeepRequest,
): string {
  if (keepIt === undefined) throw new Error('nothing keeps deleted files');
  try {
    return keepIt(what);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const errno = errnoOf(error);
    // Another process has removed it meanwhile.
    if (errno !== constants.errno.ENOENT)
      report({ kind: 'refused', request, verdict: { ...verdict, message: error.message, remedy: error.remedy } });
    throw new KernelError('keep', errno);
  }
}

/**
 * Returns the errno for a full disk or an exhausted quota, which programs know. Otherwise reports the failure to keep
 * the file.
 */
function errnoOf({ code, details }: HoldfastError): number {
  if (code === 'HF_QUOTA_EXCEEDED') return constants.errno.EDQUOT;
  if (code === 'HF_DISK_FULL') return constants.errno.ENOSPC;
  const errnos: Readonly<Record<string, number>> = constants.errno;
  return errnos[String(details?.['errno'])] ?? constants.errno.EACCES;
}
