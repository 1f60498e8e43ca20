import type { CallOutcome, CallMeter, ToolCall, Usage } from '../types.ts';

/** Where a dialect's reader puts what it finds in events. Later notes hold over earlier ones. */
export interface MeterNotes {
  readonly tools: ToolCallGatherer;
  usage(usage: Usage | undefined): void;
  model(model: unknown): void;
  /** The answer said that it is complete. `but-for-usage`: nothing comes but its usage. */
  finished(how: 'whole' | 'but-for-usage'): void;
}

export type ReadForMeter = (event: unknown, notes: MeterNotes, name: string | undefined) => void;

/** A meter out of a function that reads one event, or the whole document, and writes down what it tells. */
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

/** Limits of what is kept for the journal of one answer, in calls and UTF-16 code units. */
export const toolCallLimits = { calls: 256, name: 256, arguments: 1024 * 1024 } as const;

/** Gathers calls of tools out of an answer's pieces. */
interface ToolCallGatherer {
  /** The same key again adds what was not told yet. */
  begin(key: string, told: { readonly name?: string | undefined; readonly id?: string | undefined }): void;
  /** A piece of the arguments' JSON. A call that nobody began is not kept. */
  add(key: string, piece: string): void;
  /** The arguments whole: what came in pieces before is the same again. */
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

/** Undefined for a value so deep that writing it overflows the stack. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
