import { homedir } from 'node:os';
import { watchApprovals, type ApprovalWatch, type WatchApprovalsOptions } from '../../approvals/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../sandbox/host/state-paths.ts';
import type { CommandIo } from '../command.ts';

/** Connects to every session of this user. */
export function openWatch({ environment }: Pick<CommandIo, 'environment'>, onChange?: WatchApprovalsOptions['onChange']): ApprovalWatch {
  return watchApprovals({ runtime: statePaths(homedir(), environment).runtime, channel: 'terminal', ...(onChange === undefined ? {} : { onChange }) });
}

export function refuseWords(verb: string, words: readonly string[]): void {
  if (words.length > 0) throw new HoldfastError('HF_USAGE', `approvals ${verb} takes no words, got ${JSON.stringify(words[0])}`, { remedy: 'see `holdfast approvals --help`' });
}
