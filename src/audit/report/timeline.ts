import type { Lane, Mark, Timeline, Tone } from './types.ts';
import { tones } from './types.ts';

export interface Happening {
  readonly lane: Lane;
  readonly tone: Tone;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly title: string;
}

/** More marks than a page is wide in pixels tell nobody more. */
const mostMarks = 1000;

/** Gathers any number of entries into few marks: while there are too many, marks become twice as wide. */
export class TimelineBuilder {
  #marks = new Map<string, Mark>();
  /** Milliseconds that one mark stands for. */
  #width = 1;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  add(happening: Happening): void {
    this.#from = Math.min(this.#from, happening.at);
    this.#to = Math.max(this.#to, happening.at);
    this.#put({ ...happening, entries: 1 });
    while (this.#marks.size > mostMarks) this.#widen();
  }

  build(): Timeline {
    const isEmpty = this.#marks.size === 0;
    return { from: isEmpty ? 0 : this.#from, to: isEmpty ? 0 : this.#to, marks: [...this.#marks.values()].toSorted((a, b) => a.at - b.at) };
  }

  #put(mark: Mark): void {
    const key = `${Math.floor(mark.at / this.#width)} ${mark.lane}`;
    const known = this.#marks.get(key);
    this.#marks.set(key, known === undefined ? mark : { ...known, tone: heavier(known.tone, mark.tone), entries: known.entries + mark.entries });
  }

  #widen(): void {
    const marks = this.#marks.values();
    this.#width *= 2;
    this.#marks = new Map();
    for (const mark of marks) this.#put(mark);
  }
}

function heavier(a: Tone, b: Tone): Tone {
  return tones.indexOf(a) < tones.indexOf(b) ? b : a;
}
