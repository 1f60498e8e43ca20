import type { CallOutcome, CallMeter, ToolCall, Usage } from '../types.ts';

/** Receives the facts that a dialect's reader finds. Later notes override earlier ones. */
export interface MeterNotes {
  readonly tools: ToolCallGatherer;
  usage(usage: Usage | undefined): void;
  model(model: unknown): void;
  /** The answer reports that it is complete. `but-for-usage`: only the usage is still to come. */
  finished(how: 'whole' | 'but-for-usage'): void;
}

export type ReadForMeter = (event: unknown, notes: MeterNotes, name: string | undefined) => void;

/** Creates a meter from a function that reads one event, or the whole document, and notes the facts in it. */
export function createCallMeter(read: ReadForMeter): CallMeter {
  let usage: Usage | undefined;
  let model: string | undefined;
  let finished: 'no' | 'but-for-usage' | 'whole' = 'no';
  const notes: MeterNotes = {
    tools: createToolCallGatherer(),
    usage: (told) => void (usage = told ?? usage),
    model: (told) => void (model = typeof told === 'string' && told !== '' ? told.slice(0, 256) : model),
    finished: (how) => void (finished = finished === 'whole' ? finished : how),
  };
  return {
    read: (event, name) => read(event, notes, name),
    outcome: (end): CallOutcome => ({
      ...(usage === undefined ? {} : { usage }),
      ...(model === undefined ? {} : { model }),
      completeness: finished === 'whole' || (finished === 'but-for-usage' && end === 'ended') ? 'complete' : 'partial',
      toolCalls: notes.tools.calls(),
    }),
  };
}

/** Limits on one answer's text in the journal, in calls and UTF-16 code units. */
export const toolCallLimits = { calls: 256, name: 256, arguments: 1024 * 1024 } as const;

/** Collects tool calls from the pieces of an answer. */
interface ToolCallGatherer {
  /** Begins a call. Calling this again with the same key adds missing facts. */
  begin(key: string, told: { readonly name?: string | undefined; readonly id?: string | undefined }): void;
  /** Adds a piece of the arguments' JSON. Ignores a call that has not begun. */
  add(key: string, piece: string): void;
  /** Sets the whole arguments, which repeat the earlier pieces. */
  set(key: string, value: unknown): void;
  calls(): readonly ToolCall[];
}

interface Gathered {
  name: string;
  id: string | undefined;
  pieces: string[];
  cut: boolean;
}

export function createToolCallGatherer(): ToolCallGatherer {
  const gathered = new Map<string, Gathered>();
  let room: number = toolCallLimits.arguments;
  const add = (key: string, piece: string): void => {
    const call = gathered.get(key);
    if (call === undefined || piece === '') return;
    const kept = piece.slice(0, room);
    room -= kept.length;
    if (kept.length < piece.length) call.cut = true;
    if (kept !== '') call.pieces.push(kept);
  };
  return {
    begin(key, { name, id }) {
      const call = gathered.get(key);
      if (call === undefined && gathered.size < toolCallLimits.calls)
        gathered.set(key, { name: bounded(name) ?? '', id: bounded(id), pieces: [], cut: false });
      if (call === undefined) return;
      if (call.name === '') call.name = bounded(name) ?? '';
      call.id ??= bounded(id);
    },
    add,
    set(key, value) {
      const call = gathered.get(key);
      if (call === undefined) return;
      room += call.pieces.reduce((sum, piece) => sum + piece.length, 0);
      call.pieces = [];
      const json = typeof value === 'string' ? value : jsonOf(value);
      call.cut = json === undefined;
      add(key, json ?? '');
    },
    calls: () =>
      [...gathered.values()].map(({ name, id, pieces, cut }) => ({
        name,
        ...(id === undefined ? {} : { id }),
        arguments: pieces.join(''),
        ...(cut ? { cut: true as const } : {}),
      })),
  };
}

function bounded(text: string | undefined): string | undefined {
  return text?.slice(0, toolCallLimits.name);
}

/** Undefined for a value that is nested so deeply that writing it overflows the stack. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
