import { valueAt } from '../answer/edit-event.ts';
import type { Delta, Dialect, EventReading, StreamFraming } from '../types.ts';

/** One event of an answer, or a whole document. */
export interface KeptEvent {
  readonly event?: string;
  /** Parsed JSON. Anything else is its text. */
  readonly data: unknown;
}

export interface KeeperOptions {
  readonly dialect: Dialect;
  readonly framing: StreamFraming;
  write(event: KeptEvent): void;
  /** Most characters of texts to hold until they are complete. */
  readonly most: number;
}

export interface AnswerKeeper {
  /** Never throws. */
  read(event: unknown, name: string | undefined): void;
  /** Writes the texts held back. Returns whether everything was kept. */
  end(): 'whole' | 'cut';
}

interface HeldText {
  readonly pieces: string[];
  /** The last event, and the position of the text in it. */
  last: {
    readonly event: unknown;
    readonly name: string | undefined;
    readonly deltas: readonly Delta[];
    readonly path: Delta['path'];
  };
}

interface Keeping extends KeeperOptions {
  readonly held: Map<string, HeldText>;
  readonly shapes: Set<string>;
  length: number;
  state: 'whole' | 'cut';
}

/**
 * Takes the events of an answer and keeps fewer of them: the last piece of a text carries the whole text. So a key that
 * was split into pieces can still be found. An event that has more than a piece of text stays, without the piece.
 */
export function createAnswerKeeper(options: KeeperOptions): AnswerKeeper {
  const keeping: Keeping = { ...options, held: new Map(), shapes: new Set(), length: 0, state: 'whole' };
  return {
    read(event, name) {
      try {
        if (options.framing === 'json') write(keeping, { event, name });
        else readEvent(keeping, event, name);
      } catch {
        // The event is nested too deeply to be written as JSON. No reader could parse it, so none of it is kept.
        keeping.state = 'cut';
      }
    },
    end() {
      close(keeping, 'all');
      return keeping.state;
    },
  };
}

const mostHeld = 1000;
const mostShapes = 1000;

function readEvent(keeping: Keeping, event: unknown, name: string | undefined): void {
  const { deltas, closes } = keeping.dialect.readEvent(event, name);
  const pieces = deltas.filter(
    ({ kind, path }) => kind !== 'arguments-value' && typeof valueAt(event, path) === 'string',
  );
  // A whole text ends in its own event.
  if (pieces.every(({ channel }) => !keeping.held.has(channel) && isEnded(channel, closes))) {
    close(keeping, closes);
    write(keeping, { event, name });
    return;
  }
  for (const { channel, path } of pieces) hold(keeping, channel, { event, name, deltas, path });
  const bare = eventWith(
    event,
    pieces.map(({ path }) => ({ path, value: '' })),
  );
  if (pieces.length < deltas.length || isNewShape(keeping, bare)) write(keeping, { event: bare, name });
  close(keeping, closes);
}

function hold(keeping: Keeping, channel: string, last: HeldText['last']): void {
  const text = String(valueAt(last.event, last.path));
  const known = keeping.held.get(channel);
  // Attack: an answer without end, or with a new text for every event, would fill the memory.
  if (keeping.length + text.length > keeping.most || (known === undefined && keeping.held.size >= mostHeld)) {
    keeping.state = 'cut';
    return;
  }
  keeping.length += text.length;
  if (known === undefined) {
    keeping.held.set(channel, { pieces: [text], last });
    return;
  }
  known.pieces.push(text);
  known.last = last;
}

function close(keeping: Keeping, closes: EventReading['closes']): void {
  for (const [channel, { pieces, last }] of keeping.held) {
    if (!isEnded(channel, closes)) continue;
    keeping.held.delete(channel);
    const text = pieces.join('');
    if (text === '') continue;
    const { event, name, deltas, path } = last;
    // The other pieces of the event are written with their own texts.
    const others = deltas.map((delta) => ({ path: delta.path, value: delta.kind === 'arguments-value' ? {} : '' }));
    write(keeping, { event: eventWith(event, [...others, { path, value: text }]), name });
  }
}

/** A name also ends the channels below it. */
export function isEnded(channel: string, closes: EventReading['closes']): boolean {
  return closes === 'all' || closes.some((name) => channel === name || channel.startsWith(`${name}.`));
}

function isNewShape({ shapes }: Keeping, event: unknown): boolean {
  const shape = shapeOf(event);
  if (shapes.has(shape)) return false;
  if (shapes.size < mostShapes) shapes.add(shape);
  return true;
}

function write(
  keeping: Keeping,
  { event, name }: { readonly event: unknown; readonly name: string | undefined },
): void {
  keeping.write({ ...(name === undefined ? {} : { event: name.slice(0, longestName) }), data: event });
}

const longestName = 100;

interface Replacement {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/**
 * Returns a copy of parsed JSON with other values at some paths. Does not add missing paths. Throws if the event is
 * nested too deeply.
 */
function eventWith(event: unknown, replacements: readonly Replacement[]): unknown {
  const copy = structuredClone(event);
  for (const { path, value } of replacements) replaceAt(copy, path, value);
  return copy;
}

/** Returns a key that two events share if only their values differ. Throws if the event is nested too deeply. */
function shapeOf(event: unknown): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === 'object' ? value : typeof value));
}

function replaceAt(copy: unknown, path: Replacement['path'], value: unknown): void {
  let at = copy;
  for (const [index, key] of path.entries()) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return;
    const parent = at as Record<string | number, unknown>;
    if (index === path.length - 1) parent[key] = value;
    else at = parent[key];
  }
}
