import type { Policy } from '../../policy/policy.ts';
import type { FileCall, NamedPath } from '../calls/file-calls.ts';
import { touchesOf } from '../calls/touches.ts';
import { judgeFiles } from '../judge/judge-files.ts';
import { outOfReach } from '../judge/rule-reach.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { openFlags } from '../perform/open-flags.ts';
import { startOf } from '../view/caller.ts';
import { knownDirectories, openQuickView } from '../view/known-directories.ts';
import type { Supervision } from './context.ts';

export type Open = Extract<FileCall, { kind: 'open' }>;

/** Opens of existing files that no rule concerns: nearly all of them. */
export interface QuickOpens {
  /** Whether the kernel may perform it unchanged. It says no if it needs more facts. */
  pass(notification: SeccompNotification, call: Open): boolean;
  /** The same check for a real path. Remembers that `words` lead there. */
  passReal(real: string, words: string): boolean;
  /** Call after anything that may have changed where paths lead. */
  forget(): void;
}

/**
 * Takes one system call for the path, one for the start of a relative path, and one to rule out symlinks. Its answer
 * may be out of date a moment later, like that of every call that goes ahead. The box's mounts then enforce the rules.
 */
export function quickOpens(
  { options: { policy }, memory, view }: Pick<Supervision, 'options' | 'memory' | 'view'>,
  passed: PassedLately,
): QuickOpens {
  const isOutOfReach = outOfReach(policy);
  const quick = openQuickView(view.root);
  const known = knownDirectories({ root: view.root });
  const wordsOf = (thread: number, path: NamedPath): string | undefined => {
    const words = memory.path(thread, path.address);
    if (words === undefined || words === '') return undefined;
    // Below these directories, a path can mean something else for each process.
    if (words.startsWith('/')) return notTheSameForAll.some((start) => words.startsWith(start)) ? undefined : words;
    const start = startOf(quick.textOf, thread, path.directory);
    return start === undefined ? undefined : start === '/' ? `/${words}` : `${start}/${words}`;
  };
  const leadsFar = (words: string, end: NamedPath['end']): boolean => {
    const real = end === 'follow' ? quick.realOf(words) : undefined;
    return real !== undefined && isOutOfReach(real);
  };
  return {
    pass({ thread }, call) {
      const words = wordsOf(thread, call.at);
      if (words === undefined) return false;
      const slash = words.lastIndexOf('/');
      const isFar = isOutOfReach(words);
      const isKnown = known.isReal(words.slice(0, slash), words.slice(slash + 1));
      if (isFar && isKnown) return true;
      if (passed.has(words) || passed.has(openKey(call, words))) return true;
      if (isKnown || quick.isReal(words)) {
        if (!isFar && !isLeftToKernel(policy, call, words)) return false;
        known.seen(words);
      } else if (!isFar || !leadsFar(words, call.at.end)) return false;
      passed.add(isFar ? words : openKey(call, words));
      return true;
    },
    passReal(real, words) {
      if (!isOutOfReach(real)) return false;
      passed.add(words);
      return true;
    },
    forget() {
      passed.forget();
      known.forget();
    },
  };
}

const notTheSameForAll: readonly string[] = ['/proc', '/dev', '//'];

/** The facts by which a passed open is remembered: its path, and the flags that rules can depend on. */
export function openKey({ flags }: Open, words: string): string {
  return `${flags & openFlags.accessMode}${flags & openFlags.truncate}${words}`;
}

/**
 * Whether the policy leaves this read to the box's own mounts. A file that is open for reading may be closed to the box
 * for writing.
 */
function isLeftToKernel(policy: Policy, call: Open, real: string): boolean {
  const judgements = judgeFiles(policy, touchesOf(call, { first: real, exists: () => true }));
  return judgements.every(({ treatment, operation }) => treatment === 'kernel' && operation === 'read');
}

/**
 * Opens that no rule covered a moment ago. A compiler opens the same headers a thousand times, and resolving a path
 * takes three system calls. A stale entry can only miss a question, never a refusal: the kernel refuses.
 */
export interface PassedLately {
  has(open: string): boolean;
  add(open: string): void;
  /** Call after anything that may have changed where paths lead. */
  forget(): void;
}

/** Milliseconds. */
const lifetime = 250;
const most = 4096;

export function passedLately(now: () => number = () => performance.now()): PassedLately {
  const until = new Map<string, number>();
  return {
    has: (open) => {
      const end = until.get(open);
      return end !== undefined && now() < end;
    },
    add: (open) => {
      if (until.size >= most) until.clear();
      until.set(open, now() + lifetime);
    },
    forget: () => until.clear(),
  };
}
