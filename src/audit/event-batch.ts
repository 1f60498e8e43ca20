import { appendEvents, type JournalEvent } from './index.ts';

/** Milliseconds that an event may wait for others, so that many connections share one write. */
const delay = 250;
/**
 * The most events that force an immediate write in one `delay`; further ones wait like the rest. Otherwise a box that
 * is refused in a loop would keep the supervisor waiting for the disk.
 */
const mostAtOnce = 20;

/** Events of one box on their way to the journal. */
export class EventBatch {
  readonly #file: string;
  readonly #onLost: () => void;
  #pending: JournalEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;
  #window = { began: Number.NEGATIVE_INFINITY, flushes: 0 };

  /** `onLost` is called if events could not be written. After that, nothing may pass. */
  constructor(file: string, onLost: () => void) {
    this.#file = file;
    this.#onLost = onLost;
  }

  /** Why events were lost, reported when the box ends. */
  get failure(): unknown {
    return this.#failure;
  }

  /** `now`: on return, the journal has the event and all events before it. */
  push(event: JournalEvent, when: 'now' | 'soon'): void {
    this.#pending.push(event);
    if (when === 'now' && this.#mayFlush()) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), delay);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#pending;
    this.#pending = [];
    try {
      appendEvents(this.#file, events);
    } catch (error) {
      this.#failure ??= error;
      this.#onLost();
    }
  }

  #mayFlush(): boolean {
    const now = performance.now();
    if (now - this.#window.began >= delay) this.#window = { began: now, flushes: 0 };
    return this.#window.flushes++ < mostAtOnce;
  }
}
