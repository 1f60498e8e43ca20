import { kernelCall, noReplace } from '../../kernel/index.ts';
import type { FileAccess } from '../../policy/request.ts';
import { fetchOperands } from '../calls/fetch.ts';
import { atRemoveDirectory } from '../calls/file-calls.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { type ChangeCall, performChange } from '../perform/change.ts';
import { lookUpEntry } from '../perform/side.ts';
import { umaskOf } from '../view/caller.ts';
import { directoryEntries } from './other-names.ts';
import { errno, errnoOf, tell, type Whole } from './whole.ts';

export interface ChangePaths {
  readonly first: string;
  /** The new name. Equals `first` if there is only one. */
  readonly second: string;
}

/** One access that must be granted. */
interface Need {
  readonly operation: FileAccess | 'move';
  readonly path: string;
  /** Replaces the refusal's own errno. */
  readonly errno?: number;
}

const exchangeFlag = 2;

/** Returns the errno of a refused change. Undefined if all of it is granted. */
export function changeErrno(whole: Whole, call: ChangeCall, paths: ChangePaths): number | undefined {
  for (const { operation, path, errno: other } of needsOf(whole, call, paths)) {
    const ruling = whole.law.rule(operation, path);
    if (ruling.kind === 'granted') continue;
    if (ruling.kind !== 'refused') return errno.readOnly;
    if (ruling.how !== 'absent') tell(whole, operation, path);
    return other ?? errnoOf(ruling.how, operation);
  }
  return otherNameOf(whole, call, paths) ?? movedTreeOf(whole, call, paths);
}

/** Performs the change at the judged paths. Throws `KernelError`. */
export function changeWhole(
  whole: Whole,
  call: ChangeCall,
  { notification: { id, thread }, ...paths }: ChangePaths & { readonly notification: SeccompNotification },
): void {
  const {
    supervision: { memory, listener, box },
    law,
    ground,
  } = whole;
  const fetched = fetchOperands(call, memory, thread);
  if (!listener.isCurrent(id)) return;
  kernelCall('umask', umaskOf(thread));
  performChange(call, { side: box, ...paths, fetched });
  for (const path of madeBy(call, paths)) if (law.isMarked(path)) ground.made(path);
  listener.answer(id, 0);
}

function needsOf({ supervision: { box } }: Whole, call: ChangeCall, { first, second }: ChangePaths): readonly Need[] {
  switch (call.kind) {
    case 'make-directory':
    case 'make-node':
    case 'symlink':
      return [{ operation: 'create', path: first }];
    case 'remove':
      return [{ operation: (call.flags & atRemoveDirectory) === 0 ? 'delete' : 'move', path: first }];
    case 'rename': {
      const arrival = (path: string): readonly Need[] =>
        lookUpEntry(box, path) === undefined || (call.flags & noReplace) !== 0
          ? [{ operation: 'create', path }]
          : [{ operation: 'move', path }];
      const exchanged: readonly Need[] =
        (call.flags & exchangeFlag) === 0
          ? []
          : [
              { operation: 'move', path: second },
              { operation: 'create', path: first },
            ];
      return [{ operation: 'move', path: first }, ...arrival(second), ...exchanged];
    }
    // A second name of a file gives access to the file.
    case 'link':
      return [
        { operation: 'read', path: first, errno: errno.otherDevice },
        { operation: 'write', path: first, errno: errno.otherDevice },
        { operation: 'create', path: second },
      ];
    case 'truncate':
    case 'mode':
    case 'owner':
    case 'times':
    case 'set-attribute':
    case 'remove-attribute':
      return [{ operation: 'write', path: first }];
  }
}

/** The file's content or properties are protected under another name. */
function otherNameOf(
  { supervision: { box }, others }: Whole,
  { kind }: ChangeCall,
  { first }: ChangePaths,
): number | undefined {
  if (kind === 'make-directory' || kind === 'make-node' || kind === 'symlink' || kind === 'remove' || kind === 'rename')
    return undefined;
  const there = lookUpEntry(box, first);
  const how = there?.isFile() === true && there.nlink > 1n ? others.refuses(there.dev, there.ino) : undefined;
  return how === undefined ? undefined : kind === 'link' ? errno.otherDevice : errnoOf(how, 'write');
}

/** A directory may contain files that could not be made at its new path (attack: `mv prepared .git`). */
function movedTreeOf(whole: Whole, call: ChangeCall, { first, second }: ChangePaths): number | undefined {
  if (call.kind !== 'rename') return undefined;
  const ways =
    (call.flags & exchangeFlag) === 0
      ? [[first, second]]
      : [
          [first, second],
          [second, first],
        ];
  const isRefused = ways.some(([from = '', to = '']) => whole.law.isMarked(to) && !treeMayGo(whole, from, to));
  return isRefused ? errno.accessDenied : undefined;
}

/** Number of entries that are inspected. A larger tree may not be moved. */
const largestTree = 20_000;

function treeMayGo(whole: Whole, from: string, to: string): boolean {
  const waiting = [''];
  let seen = 0;
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const entry of directoryEntries(`${from}${below}`)) {
      const path = `${below}/${entry.name.toString('latin1')}`;
      seen += 1;
      if (seen > largestTree || whole.law.rule('create', `${to}${path}`).kind !== 'granted') return false;
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return true;
}

function madeBy(call: ChangeCall, { first, second }: ChangePaths): readonly string[] {
  switch (call.kind) {
    case 'make-directory':
    case 'make-node':
    case 'symlink':
      return [first];
    case 'rename':
      return (call.flags & exchangeFlag) === 0 ? [second] : [first, second];
    case 'link':
      return [second];
    case 'remove':
    case 'truncate':
    case 'mode':
    case 'owner':
    case 'times':
    case 'set-attribute':
    case 'remove-attribute':
      return [];
  }
}
