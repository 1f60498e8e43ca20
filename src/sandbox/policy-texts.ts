import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import type { StatePaths } from './host/state-paths.ts';

/** A policy file as it was read. */
export interface PolicyText {
  readonly kind: 'managed' | 'user' | 'project';
  readonly file: string;
  readonly text: string;
}

export const projectFile = 'holdfast.toml';
const largestFile = 1 << 20;

/** Every policy file that holds for a workspace, in the order of authority. */
export function readPolicyTexts(paths: StatePaths, workspace: string): readonly PolicyText[] {
  return [readText('managed', paths.managedPolicy), readText('user', paths.userPolicy), readText('project', join(workspace, projectFile))].flatMap((text) => text ?? []);
}

/** Undefined when there is no such file. A policy that cannot be read is never taken for one that is not there. */
export function readText(kind: PolicyText['kind'], file: string): PolicyText | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.size > largestFile) {
      throw new HoldfastError('HF_POLICY_TOO_LARGE', `${file} has ${stats.size} bytes, ${largestFile} are allowed`, { remedy: 'a policy is a small file: split or shorten it' });
    }
    return { kind, file, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return undefined;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not valid UTF-8' : (code ?? String(error));
    throw new HoldfastError('HF_POLICY_UNREADABLE', `the policy ${file} cannot be read: ${reason}`, { remedy: 'make it readable UTF-8, or remove it', cause: error });
  }
}
