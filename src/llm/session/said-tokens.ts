import type { CallOutcome, OpenStage, TextStage } from '../index.ts';

/** What a model has said so far, by its length. */
export interface SaidTokens {
  /** As the one that was given, and counts what goes through. */
  readonly open: OpenStage;
  /** So many tokens at least, one for every four bytes. */
  count(): number;
}

const bytesInToken = 4;
/** Texts that came in pieces and come again whole. */
const again = /\.(?:whole|again|added)(?:[. ]|$)/u;

/**
 * Attack: a client that reads an answer to its last word, and leaves before the usage is told: in streams it comes at
 * the end, and what comes first says that the output is a token.
 */
export function saidTokens(open: OpenStage): SaidTokens {
  let bytes = 0;
  return {
    open(delta, tool) {
      const stage = open(delta, tool);
      return again.test(delta.channel)
        ? stage
        : counted(stage ?? asItIs, (text) => void (bytes += Buffer.byteLength(text)));
    },
    count: () => Math.ceil(bytes / bytesInToken),
  };
}

const asItIs: TextStage = { push: (text) => text, end: () => '' };

function counted(stage: TextStage, count: (text: string) => void): TextStage {
  return {
    push(text) {
      count(text);
      return stage.push(text);
    },
    end: () => stage.end(),
  };
}

/** What an answer came to that broke off, or told nothing, with what it is known to have said. */
export function withSaid(outcome: CallOutcome, said: number): CallOutcome & { readonly said: number } {
  const { usage, completeness } = outcome;
  return {
    ...outcome,
    said,
    ...(usage === undefined || completeness === 'complete'
      ? {}
      : { usage: { ...usage, output: Math.max(usage.output, said) } }),
  };
}
