import { type JsonEditor, createJsonEditor } from '../../dlp/json/edit-json.ts';
import type { Delta, NamedTool } from '../types.ts';

/** Filters one text of an answer, from beginning to end. Text that it holds back comes out later, in order. */
export interface TextStage {
  push(text: string): string;
  end(): string;
}

/**
 * Creates the stage for one text. Undefined if the text passes unchanged, byte for byte. `tool` is the client's tool
 * that gets the text, if any.
 */
export type OpenStage = (delta: Delta, tool: string | undefined) => TextStage | undefined;

interface OpenChannel {
  readonly stage: TextStage;
  /** The tool that gets the text, if it was named when the text began. */
  readonly tool: string | undefined;
  /** The last piece and its event. Text that was held back is sent in the same form. */
  delta: Delta;
  like: unknown;
}

/** The unfinished texts of one answer. */
export class Channels {
  readonly editors = fieldEditors();
  readonly #open: OpenStage;
  readonly #channels = new Map<string, OpenChannel | 'as-is'>();
  /** Names of tools, by the channels of their arguments. Undefined if an answer gave two names. */
  readonly #tools = new Map<string, string | undefined>();

  constructor(open: OpenStage) {
    this.#open = open;
  }

  /** Names the tools for arguments that begin from now on. */
  name(tools: readonly NamedTool[]): void {
    for (const { channel, name } of tools) {
      const isOther = this.#tools.has(channel) && this.#tools.get(channel) !== name;
      if (this.#tools.size < mostChannels || this.#tools.has(channel))
        this.#tools.set(channel, isOther ? undefined : name);
    }
  }

  /** Returns the next piece of a text as it may be sent. Undefined if it stays unchanged. */
  push(delta: Delta, text: string, like: unknown): string | undefined {
    const channel = this.#channels.get(channelKey(delta)) ?? this.#begin(delta, like);
    if (channel === 'as-is') return undefined;
    // Attack: a server that does not number its calls writes the arguments of two tools under one channel.
    if (channel.tool !== undefined && this.#toolOf(delta.channel) !== channel.tool) {
      this.#channels.set(channelKey(delta), 'as-is');
      return channel.stage.end() + text;
    }
    channel.delta = delta;
    channel.like = like;
    return channel.stage.push(text);
  }

  /**
   * Returns the text held back of the texts that end, in the order in which they began. A name also ends the channels
   * below it.
   */
  close(names: readonly string[] | 'all'): readonly HeldText[] {
    const isEnding = endingIn(names);
    for (const channel of [...this.#tools.keys()].filter(isEnding)) this.#tools.delete(channel);
    return [...this.#channels.keys()]
      .filter((name) => isEnding(channelOf(name)))
      .flatMap((name) => {
        const channel = this.#channels.get(name);
        this.#channels.delete(name);
        if (channel === undefined || channel === 'as-is') return [];
        const text = channel.stage.end();
        return text === '' ? [] : [{ delta: channel.delta, like: channel.like, text }];
      });
  }

  /** Returns the text held back of one text that ends here. Channels below it do not end. */
  finish(delta: Delta): string {
    const channel = this.#channels.get(channelKey(delta));
    this.#channels.delete(channelKey(delta));
    return channel === undefined || channel === 'as-is' ? '' : channel.stage.end();
  }

  #begin(delta: Delta, like: unknown): OpenChannel | 'as-is' {
    // Attack: an answer with a new channel for every event would fill the memory. Channels beyond the limit pass
    // unchanged, and hold nothing back.
    const tool = this.#toolOf(delta.channel);
    const stage = this.#channels.size < mostChannels ? this.#open(delta, tool) : undefined;
    const channel = stage === undefined ? 'as-is' : { stage, tool, delta, like };
    if (this.#channels.size < mostChannels) this.#channels.set(channelKey(delta), channel);
    return channel;
  }

  #toolOf(channel: string): string | undefined {
    let [name = ''] = channel.split(' ', 1);
    for (; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.'))))
      if (this.#tools.has(name)) return this.#tools.get(name);
    return undefined;
  }
}

/** Attack: an event that ends a hundred thousand channels. Each of them would be compared with all open ones. */
function endingIn(names: readonly string[] | 'all'): (channel: string) => boolean {
  if (names === 'all') return () => true;
  if (names.length <= 8) return (channel) => names.some((name) => isWithin(channel, name));
  const ends = new Set(names);
  return (channel) =>
    channel.split(/[. ]/u, deepestName).some((_part, index, parts) => ends.has(parts.slice(0, index + 1).join('.')));
}

/** Most parts in a name with which a dialect closes a channel. */
const deepestName = 8;

/** Returns true if a channel has this name, is below it, or carries a leaf of its value. */
function isWithin(channel: string, name: string): boolean {
  return (
    channel.startsWith(name) &&
    (channel.length === name.length || /^[. ]/u.test(channel.slice(name.length, name.length + 1)))
  );
}

export interface HeldText {
  readonly delta: Delta;
  readonly like: unknown;
  readonly text: string;
}

/** Attack: a channel that begins as arguments and continues as text would bypass the filter for text. */
export function channelKey({ kind, channel }: Delta): string {
  return `${kind} ${channel}`;
}

function channelOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

const mostChannels = 1000;

/** Most streams have one or two. */
const mostKept = 16;

/**
 * Returns editors for one answer, by the fields that they edit. The events of an answer have their texts in the same
 * positions.
 */
export function fieldEditors(): (fields: readonly string[]) => JsonEditor {
  const kept = new Map<string, JsonEditor>();
  return (fields) => {
    const name = fields.join('\n');
    const editor = kept.get(name) ?? createJsonEditor({ fields });
    if (kept.size < mostKept) kept.set(name, editor);
    return editor;
  };
}
