import { outOfReach } from '../judge/rule-reach.ts';
import type { NamedPath } from '../calls/file-calls.ts';
import type { Notification } from '../listener/notification.ts';
import { isPlain } from '../view/box-view.ts';
import { startOf } from '../view/caller.ts';
import { knownDirectories } from '../view/known-directories.ts';
import { openQuickView } from '../view/quick-view.ts';
import type { Supervision } from './context.ts';
import type { PassedLately } from './passed-lately.ts';

/** Opens of what is there, of which no rule is about any: nearly all of them. */
export interface QuickOpens {
  /** Whether the kernel may have it as it is. It says no where more has to be known. */
  pass(notification: Notification, path: NamedPath): boolean;
  /** The same of a real path; `words` are remembered to lead there. */
  passReal(real: string, words: string): boolean;
  /** After anything that may have changed where paths lead. */
  forget(): void;
}

/**
 * It takes one system call to read the path, one for a relative one's start, and one to see that no symlink is on the way.
 * What it says may be out of date a moment later, like everything that goes ahead: then the box's mounts refuse what a rule holds.
 */
export function quickOpens({ options: { policy }, memory, view }: Pick<Supervision, 'options' | 'memory' | 'view'>, passed: PassedLately): QuickOpens {
  const isOutOfReach = outOfReach(policy);
  const quick = openQuickView(view.root);
  const known = knownDirectories({ root: view.root });
  const wordsOf = (thread: number, path: NamedPath): string | undefined => {
    const words = memory.path(thread, path.address);
    if (words === undefined || words === '') return undefined;
    // Below those, names can mean whoever looks.
    if (words.startsWith('/')) return words.startsWith('/proc') || words.startsWith('/dev') ? undefined : words;
    const start = startOf(quick.textOf, thread, path.directory);
    return start === undefined ? undefined : start === '/' ? `/${words}` : `${start}/${words}`;
  };
  const leadsFar = (words: string, end: NamedPath['end']): boolean => {
    const real = end === 'follow' ? quick.realOf(words) : undefined;
    return real !== undefined && isOutOfReach(real);
  };
  return {
    pass({ thread }, path) {
      const words = wordsOf(thread, path);
      if (words === undefined) return false;
      const isFar = isOutOfReach(words);
      if (isFar && isPlain(words) && known.isReal(words)) return true;
      if (passed.has(words)) return true;
      if (isFar && quick.isReal(words)) known.seen(words);
      else if (!leadsFar(words, path.end)) return false;
      passed.add(words);
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
