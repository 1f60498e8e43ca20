import { editJsonText } from '../../dlp/json/edit-json.ts';
import { valueAt } from '../answer/edit-event.ts';
import type { CallOutcome, Dialect, StreamFraming } from '../types.ts';
import { isEnded, type KeptEvent } from './answer-keeper.ts';

/** One text of a conversation. */
export interface SaidWords {
  /** `system`, `user`, `assistant`, `tool` …, as in the request. */
  readonly role: string;
  /** Kind of content other than plain text: `tool_use weather`, `tool_result`. */
  readonly part?: string;
  readonly text: string;
}

/** Returns the texts of a request that a model reads, in order. Returns nothing if it is not JSON. */
export function conversationOf({ requestText, requestTextOrBase64 }: Dialect, request: string): readonly SaidWords[] {
  const said: SaidWords[] = [];
  const parsed = parse(request);
  if (parsed === undefined) return [];
  editJsonText(request, {
    fields: [...requestText, ...requestTextOrBase64],
    edit(text, path) {
      if (text !== '') said.push({ role: roleOf(parsed, path), ...partOf(parsed, path), text });
      return undefined;
    },
  });
  return said;
}

export interface AnswerWords extends CallOutcome {
  /** Output of the model, `text` and `thinking`, in the order in which they began. */
  readonly said: readonly { readonly kind: 'text' | 'thinking'; readonly text: string }[];
}

interface OpenWords {
  readonly kind: 'text' | 'thinking';
  readonly pieces: string[];
}

/** Returns the texts of an answer from its kept events. */
export function wordsOfAnswer(
  events: readonly KeptEvent[],
  { dialect, framing }: { readonly dialect: Dialect; readonly framing: StreamFraming },
): AnswerWords {
  const meter = dialect.openMeter();
  const all: OpenWords[] = [];
  const open = new Map<string, OpenWords>();
  for (const { event, data } of events) {
    meter.read(data, event);
    const { deltas, closes } = framing === 'json' ? dialect.readDocument(data) : dialect.readEvent(data, event);
    for (const { channel, kind, path } of deltas) {
      const text = valueAt(data, path);
      if ((kind !== 'text' && kind !== 'thinking') || typeof text !== 'string') continue;
      const known = open.get(channel) ?? { kind, pieces: [] };
      if (known.pieces.push(text) === 1) all.push(known);
      open.set(channel, known);
    }
    for (const channel of open.keys()) if (isEnded(channel, closes)) open.delete(channel);
  }
  const said = all.map(({ kind, pieces }) => ({ kind, text: pieces.join('') })).filter(({ text }) => text !== '');
  return { ...meter.outcome('ended'), said: said.filter(isFirst) };
}

/** Skips repetitions. Responses sends a text in pieces, and then repeats it as a whole up to three times. */
function isFirst({ kind, text }: AnswerWords['said'][number], index: number, all: AnswerWords['said']): boolean {
  return all.findIndex((other) => other.kind === kind && other.text === text) === index;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Path = readonly (string | number)[];

/** Returns the role of the message that contains a text. A text outside messages is named by its key. */
function roleOf(request: unknown, path: Path): string {
  const at = path.findIndex((key) => typeof key === 'number');
  const message = at < 0 ? undefined : valueAt(request, path.slice(0, at + 1));
  const role = textAt(message, 'role') ?? textAt(message, 'type');
  return role ?? String(path[0] ?? 'user');
}

const plain: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'message']);

/** Returns the type of the innermost object around a text that has a type. */
function partOf(request: unknown, path: Path): { readonly part?: string } {
  for (let length = path.length - 1; length > 1; length -= 1) {
    const around = valueAt(request, path.slice(0, length));
    const name = textAt(around, 'name');
    const type = textAt(around, 'type') ?? (name === undefined ? undefined : String(path[length - 1]));
    if (type === undefined) continue;
    return plain.has(type) ? {} : { part: name === undefined ? type : `${type} ${name}` };
  }
  return {};
}

function textAt(value: unknown, key: string): string | undefined {
  const found = valueAt(value, [key]);
  return typeof found === 'string' ? found : undefined;
}
