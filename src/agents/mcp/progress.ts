import { present } from '../../sandbox/index.ts';

export interface ProgressNote {
  /** Milliseconds since the call began; more in each note. */
  readonly progress: number;
  /** The last line that was printed. */
  readonly message: string;
}

export interface ProgressOptions {
  readonly send: (note: ProgressNote) => void;
  /** Whether the client has not read what it was sent yet. */
  readonly isBehind: () => boolean;
}

/** Milliseconds between two notes. */
const pause = 500;
/** After so many of them without news there is a note all the same: clients that hear nothing give a call up. */
const quietPauses = 20;
const longestLine = 200;
/** Of the end of the output, so that a line of any length costs no more. */
const kept = 4096;

/** Tells the last line of what is printed while a call runs, at most twice a second. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #begun = performance.now();
  readonly #timer: NodeJS.Timeout;
  #end = Buffer.alloc(0);
  #news: 'none' | 'some' = 'none';
  #quiet = 0;
  #last = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tell(), pause);
  }

  readonly printed = (chunk: Buffer): void => {
    this.#news = 'some';
    this.#end = Buffer.from(chunk.length >= kept ? chunk.subarray(-kept) : Buffer.concat([this.#end, chunk]).subarray(-kept));
  };

  stop(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    this.#quiet += 1;
    if (this.#options.isBehind() || (this.#news === 'none' && this.#quiet < quietPauses)) return;
    [this.#news, this.#quiet] = ['none', 0];
    this.#last = Math.max(this.#last + 1, Math.round(performance.now() - this.#begun));
    this.#options.send({ progress: this.#last, message: present('tool-result', this.#lastLine()).text });
  }

  #lastLine(): string {
    return (this.#end.toString().split('\n').findLast((line) => line.trim() !== '') ?? '').slice(-longestLine);
  }
}
