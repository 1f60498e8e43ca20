import { pointName } from '../unicode/points.ts';

export interface StorageReason {
  readonly kind: 'hidden' | 'code-fence' | 'html' | 'front-matter' | 'role-marker';
  /** Offset in UTF-16 code units. */
  readonly at: number;
  /** What stands there, in printable ASCII, at most 40 characters. */
  readonly what: string;
}

/** What would make a stored text more than a sentence when it stands in a prompt; the first of each kind. */
export function storageReasons(text: string): readonly StorageReason[] {
  return patterns.flatMap(({ kind, pattern }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ kind, at: found.index, what: ascii(found[0]) }];
  });
}

/** None has two repetitions of the same characters side by side: each is read in linear time. */
const patterns: readonly { readonly kind: StorageReason['kind']; readonly pattern: RegExp }[] = [
  { kind: 'code-fence', pattern: /```|~~~/u },
  { kind: 'html', pattern: /<(?:[a-z][\w:-]{0,40}(?=[\s/>]|$)|\/[a-z]|!--|!doctype|!\[cdata|\?)/iu },
  { kind: 'front-matter', pattern: /^[^\S\n]*(?:---|\+\+\+|\.\.\.)[^\S\n]*$/mu },
  // What chat templates put between speakers, of the widespread model families.
  { kind: 'role-marker', pattern: /<\|[^|>\n]{1,40}\|>|<\/?s>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<<\/?SYS>>|<(?:start|end)_of_turn>|<\uFF5C[^\uFF5C>\n]{1,40}\uFF5C>/iu },
  { kind: 'role-marker', pattern: /^[ \t\r\u00a0\u2000-\u200a\u202f\u205f\u3000>*#_]*(?:human|user|assistant|system|developer|tool|ai|model)[ \t*_]{0,20}[:\uFF1A]/imu },
];

const mostTold = 40;

function ascii(text: string): string {
  return Array.from(text.slice(0, mostTold), (char) => (/^[ -~]$/u.test(char) ? char : pointName(char.codePointAt(0)!))).join('').slice(0, mostTold);
}
