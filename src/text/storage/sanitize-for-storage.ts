import { HoldfastError } from '../../errors/index.ts';
import { findHidden } from '../filter/reject.ts';
import { type StorageReason, storageReasons } from './reasons.ts';

export type StorageResult =
  | { readonly kind: 'accepted'; /** One line, without blanks at its ends. */ readonly text: string }
  | { readonly kind: 'rejected'; readonly reasons: readonly StorageReason[] };

/**
 * A text that is going to stand in later prompts: a memory, a note, a summary. Nothing in it may be unseen, and nothing
 * may take it for more than one plain sentence: no code fence, HTML, front matter or mark of who is speaking. Line breaks
 * become spaces.
 */
export function checkForStorage(text: string): StorageResult {
  const hidden = findHidden(text, 'prose');
  const unseen: readonly StorageReason[] = hidden === undefined ? [] : [{ kind: 'hidden', at: hidden.start, what: hidden.what }];
  const stored = oneLine(text);
  const markup = storageReasons(text);
  // Joined lines can spell what the lines did not.
  const reasons = [...unseen, ...(markup.length > 0 ? markup : storageReasons(stored))];
  return reasons.length > 0 ? { kind: 'rejected', reasons } : { kind: 'accepted', text: stored };
}

/** @throws HoldfastError `HF_TEXT_REJECTED` with the first reason. */
export function sanitizeForStorage(text: string): string {
  const result = checkForStorage(text);
  if (result.kind === 'accepted') return result.text;
  const [first] = result.reasons;
  throw new HoldfastError('HF_TEXT_REJECTED', `The text cannot be stored for later prompts: ${first?.kind} (${first?.what}) at offset ${first?.at}.`, {
    remedy: 'Store plain sentences, without markup, code fences, or marks of who is speaking.',
    details: { reasons: result.reasons },
  });
}

function oneLine(text: string): string {
  return text.replace(/^\uFEFF/u, '').split(/[\r\n\t ]+/u).join(' ').trim();
}
