/**
 * The meaning of a line, a row or an event. It decides the colour. A colour is never used without the sign or a word.
 */
export type SignTone = 'plain' | 'live' | 'allowed' | 'waiting' | 'staged' | 'warning' | 'refused' | 'alarm';

interface Sign {
  readonly sign: string;
  /** Used for a locale without Unicode. */
  readonly ascii: string;
}

/** The signs of all tables and pages. Each is as wide as one letter. */
export const signs: Readonly<Record<SignTone, Sign>> = {
  plain: { sign: '', ascii: '' },
  live: { sign: '●', ascii: '*' },
  allowed: { sign: '✓', ascii: '+' },
  waiting: { sign: '?', ascii: '?' },
  staged: { sign: '±', ascii: '~' },
  warning: { sign: '!', ascii: '!' },
  refused: { sign: '✗', ascii: 'x' },
  alarm: { sign: '!', ascii: '!' },
};
