/** Lists of the policy that an import may write, and rules that consist of a list. */
export type PolicyList =
  | 'files.read'
  | 'files.write'
  | 'files.deny'
  | 'files.protect'
  | 'commands.allow'
  | 'commands.ask'
  | 'commands.deny'
  | 'network.hosts'
  | 'network.deny'
  | 'sockets.allow'
  | 'sockets.deny'
  | 'environment.pass'
  | 'environment.deny'
  | 'rule.allow-programs'
  | 'rule.ask-to-read'
  | 'rule.ask-to-change'
  | 'rule.keep-deleted'
  | 'rule.refuse-deleting'
  | 'rule.ask-to-connect';

/** One entry of a policy list, and the source's key for it. */
export interface Item {
  readonly place: PolicyList;
  readonly text: string;
  readonly from: string;
}

/**
 * A difference between the policy and the source. `stricter`: the policy refuses more. `looser`: the policy lacks a
 * refusal or question of the source, and a person has to look. `none`: a box could hold no part of it.
 */
export interface NotCarried {
  /** Key of the source, such as `permissions.deny[3]`. */
  readonly at: string;
  readonly why: string;
  readonly effect: 'stricter' | 'looser' | 'none';
}

/** The parsed source: entries in any order, and everything that did not become an entry. */
export interface ImportReading {
  readonly items: readonly Item[];
  readonly notCarried: readonly NotCarried[];
}

export type ReadingPart = Item | NotCarried;

/** Sorts the parts that a reader found. */
export function readingOf(parts: readonly ReadingPart[]): ImportReading {
  return { items: parts.filter((part) => 'place' in part), notCarried: parts.filter((part) => 'why' in part) };
}
