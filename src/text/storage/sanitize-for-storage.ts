import { HoldfastError } from '../../errors/index.ts';
import { findHidden } from '../filter/reject.ts';
import { pointName } from '../unicode/points.ts';

export type StorageResult =
  | { readonly kind: 'accepted' /** One line, without blanks at its ends. */; readonly text: string }
  | { readonly kind: 'rejected'; readonly reasons: readonly StorageReason[] };

/**
 * Checks a text for later prompts: a memory, a note, a summary. It must hide nothing, and must read as plain sentences:
 * no code fence, HTML, front matter or speaker label. Line breaks become spaces.
 */
export function checkForStorage(text: string): StorageResult {
  const hidden = findHidden(text, 'prose');
  const unseen: readonly StorageReason[] =
    hidden === undefined ? [] : [{ kind: 'hidden', at: hidden.start, what: hidden.what }];
  const stored = oneLine(text);
  const markup = storageReasons(text);
  // Lines that are joined can spell a text that the separate lines did not.
  const reasons = [...unseen, ...(markup.length > 0 ? markup : storageReasons(stored))];
  return reasons.length > 0 ? { kind: 'rejected', reasons } : { kind: 'accepted', text: stored };
}

/** @throws HoldfastError `HF_TEXT_REJECTED` with the first reason. */
export function sanitizeForStorage(text: string): string {
  const result = checkForStorage(text);
  if (result.kind === 'accepted') return result.text;
  const [first] = result.reasons;
  throw new HoldfastError(
    'HF_TEXT_REJECTED',
    `The text cannot be stored for later prompts: ${first?.kind} (${first?.what}) at offset ${first?.at}.`,
    {
      remedy: 'Store plain sentences, without markup, code fences, or speaker labels.',
      details: { reasons: result.reasons },
    },
  );
}

function oneLine(text: string): string {
  return text
    .replace(/^\uFEFF/u, '')
    .split(/[\r\n\t ]+/u)
    .join(' ')
    .trim();
}

export interface StorageReason {
  readonly kind: 'hidden' | 'code-fence' | 'html' | 'front-matter' | 'role-marker';
  /** Offset in UTF-16 code units. */
  readonly at: number;
  /** The text at that offset, in printable ASCII, at most 40 characters. */
  readonly what: string;
}

/** Returns the parts that could act as more than plain text in a prompt: the first of each kind. */
function storageReasons(text: string): readonly StorageReason[] {
  return patterns.flatMap(({ kind, pattern }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ kind, at: found.index, what: ascii(found[0]) }];
  });
}

/**
 * No pattern has adjacent repetitions of the same characters, and none repeats an end of a line behind `^`. So each takes
 * linear time.
 */
const patterns: readonly { readonly kind: StorageReason['kind']; readonly pattern: RegExp }[] = [
  { kind: 'code-fence', pattern: /```|~~~/u },
  { kind: 'html', pattern: /<(?:[a-z][\w:-]{0,40}(?=[\s/>]|$)|\/[a-z]|!--|!doctype|!\[cdata|\?)/iu },
  { kind: 'front-matter', pattern: /^[^\S\n\r\u2028\u2029]*(?:---|\+\+\+|\.\.\.)[^\S\n]*$/mu },
  // Marks that the chat templates of common model families put between speakers.
  {
    kind: 'role-marker',
    pattern:
      /<\|[^|>\n]{1,40}\|>|<\/?s>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<<\/?SYS>>|<(?:start|end)_of_turn>|<\uFF5C[^\uFF5C>\n]{1,40}\uFF5C>/iu,
  },
  {
    kind: 'role-marker',
    pattern:
      /^[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000>*#_]*(?:human|user|assistant|system|developer|tool|ai|model)[ \t*_]{0,20}[:\uFF1A]/imu,
  },
];

const mostTold = 40;

function ascii(text: string): string {
  return Array.from(text.slice(0, mostTold), (char) => (/^[ -~]$/u.test(char) ? char : pointName(char.codePointAt(0)!)))
    .join('')
    .slice(0, mostTold);
}
