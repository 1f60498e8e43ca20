import type { CallOutcome, Meter, Usage } from '../types.ts';
import { createToolCallGatherer } from './tool-calls.ts';
import type { ToolCallGatherer } from './tool-calls.ts';

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
export function createMeter(read: ReadForMeter): Meter {
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
