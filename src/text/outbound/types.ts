import type { TextFinding } from '../types.ts';

export interface OutboundOptions {
  /**
   * Whether a reader's program may load or link this URL: `http` or `https`, absolute, as the URL standard writes it.
   */
  readonly allows: (url: string) => boolean;
  /** What the text will be shown as. */
  readonly media: 'markdown' | 'html';
}

/** What a pass over a text needs to know and to tell. */
export interface Pass {
  readonly allows: (url: string) => boolean;
  readonly tell: (finding: Pick<TextFinding, 'start' | 'end' | 'what'>) => void;
}
