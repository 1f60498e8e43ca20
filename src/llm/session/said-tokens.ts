import type { CallOutcome, OpenStage, TextStage } from '../index.ts';

/** Estimates the output of a model so far, by its length. */
export interface SaidTokens {
  /** Like the given `open`, but also counts the text. */
  readonly open: OpenStage;
  /** Returns the tokens so far, at least: one for every four bytes. */
  count(): number;
}

const bytesInToken = 4;
/** Channels of whole texts that repeat earlier pieces. */
const again = /\.(?:whole|again|added)(?:[. ]|$)/u;

/**
 * Attack: a client reads an answer to its last word, and leaves before the usage arrives. In streams the usage is at
 * the end, and an early usage reports only a single token of output.
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

/** Returns the outcome of an answer that broke off, or had no usage, with the output so far. */
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
