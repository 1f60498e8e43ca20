import type { Delta } from '../types.ts';

/** What a text goes through on its way to the client, from its beginning to its end. What it holds back it gives later, in order. */
export interface TextStage {
  push(text: string): string;
  end(): string;
}

/** Makes what one text goes through; undefined where it is to stay as it is, byte for byte. */
export type OpenStage = (delta: Delta) => TextStage | undefined;

interface OpenChannel {
  readonly stage: TextStage;
  /** The piece that came last, and the event it came in: what is held back looks like it when it goes out. */
  delta: Delta;
  like: unknown;
}

/** The texts of one answer that are under way. */
export class Channels {
  readonly #open: OpenStage;
  readonly #channels = new Map<string, OpenChannel | 'as-is'>();

  constructor(open: OpenStage) {
    this.#open = open;
  }

  /** The next piece of a text as it may go on; undefined where it stays as it is. */
  push(delta: Delta, text: string, like: unknown): string | undefined {
    const channel = this.#channels.get(delta.channel) ?? this.#begin(delta, like);
    if (channel === 'as-is') return undefined;
    channel.delta = delta;
    channel.like = like;
    return channel.stage.push(text);
  }

  /** What was held back of texts that end, in the order in which they began. A name ends the channels below it too. */
  close(names: readonly string[] | 'all'): readonly HeldText[] {
    const isEnding = (channel: string): boolean => names === 'all' || names.some((name) => channel === name || channel.startsWith(`${name}.`));
    return [...this.#channels.keys()].filter(isEnding).flatMap((name) => {
      const channel = this.#channels.get(name);
      this.#channels.delete(name);
      if (channel === undefined || channel === 'as-is') return [];
      const text = channel.stage.end();
      return text === '' ? [] : [{ delta: channel.delta, like: channel.like, text }];
    });
  }

  #begin(delta: Delta, like: unknown): OpenChannel | 'as-is' {
    // Attack: an answer with a channel for every event would fill the memory. What is beyond stays as it is, and holds nothing back.
    const stage = this.#channels.size < mostChannels ? this.#open(delta) : undefined;
    const channel = stage === undefined ? 'as-is' : { stage, delta, like };
    if (this.#channels.size < mostChannels) this.#channels.set(delta.channel, channel);
    return channel;
  }
}

export interface HeldText {
  readonly delta: Delta;
  readonly like: unknown;
  readonly text: string;
}

const mostChannels = 1000;
