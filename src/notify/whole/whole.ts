import type { FileLaw, Refused } from '../law/file-law.ts';
import { decide, type FileOperation, type FileRequest } from '../../policy/index.ts';
import type { Supervision } from '../supervise/context.ts';
import { readable } from '../view/byte-text.ts';
import type { BoxProcesses } from './box-processes.ts';
import type { Later } from './later.ts';
import type { MadeHere } from './made-here.ts';
import type { OtherNames } from './other-names.ts';
import type { SealedFiles } from './sealed-files.ts';

/** What everything that answers for a box without mounts has at hand. */
export interface Whole {
  readonly supervision: Supervision;
  readonly law: FileLaw;
  readonly ground: MadeHere;
  readonly others: OtherNames;
  readonly files: SealedFiles;
  readonly processes: BoxProcesses;
  readonly later: Later;
  /** What was refused already: whoever tries again and again is told of once. */
  readonly told: Set<string>;
}

const mostTold = 10_000;

export const errno = { noEntry: 2, noDevice: 6, badDescriptor: 9, accessDenied: 13, badAddress: 14, busy: 16, exists: 17, otherDevice: 18, notDirectory: 20, readOnly: 30, nameTooLong: 36, loop: 40, notSupported: 95 } as const;

/** As a box with mounts would say it. */
export function errnoOf(how: Refused, operation: FileOperation | 'move'): number {
  switch (how) {
    case 'absent':
      return operation === 'create' ? errno.accessDenied : errno.noEntry;
    case 'hidden':
      return errno.accessDenied;
    case 'fixed':
      return errno.readOnly;
    case 'pinned':
      return errno.busy;
  }
}

/** For the journal and `why`, where some rule or list says so. What is merely not granted shows in the command's own words. */
export function tell({ supervision: { options }, told }: Whole, operation: FileOperation | 'move', path: string): void {
  const key = `${operation}${path}`;
  if (told.has(key)) return;
  if (told.size < mostTold) told.add(key);
  const request: FileRequest = { kind: 'file', operation: operation === 'move' ? 'delete' : operation, path: readable(path) };
  const verdict = decide(options.policy, request);
  if (verdict.decision === 'deny' && verdict.code !== 'not-granted' && verdict.code !== 'outside-ceiling') options.report({ kind: 'refused', request, verdict });
}
