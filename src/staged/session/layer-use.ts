import { HoldfastError } from '../../errors/index.ts';
import { layerBytes } from '../store/index.ts';
import type { StagedLayer } from '../types.ts';
import type { StagedBoxes, StagedRun } from './staging.ts';

/** Milliseconds between two looks, and how much of the time looking may take. */
const pause = 1000;
const share = 10;

/** The boxes of one session that use a layer. */
export class LayerUse {
  readonly #boxes: StagedBoxes;
  #running = 0;
  #state: 'open' | 'suspended' = 'open';

  constructor(boxes: StagedBoxes) {
    this.#boxes = boxes;
  }

  /** `limit` in bytes on disk; absent for none. */
  enter(layer: StagedLayer, limit: number | undefined): StagedRun {
    if (this.#state === 'suspended') throw aside(layer);
    if (this.#boxes === 'one' && this.#running > 0) {
      throw new HoldfastError(
        'HF_STAGED_BUSY',
        `the staged layer ${layer.id} is in use by another command of this sandbox`,
        { remedy: 'wait until that command has ended, or stage the two in sandboxes of their own' },
      );
    }
    this.#running += 1;
    const look = limit === undefined ? undefined : new Look(layer, limit);
    return {
      watch: (box) => look?.start(() => box.end()),
      failure: () => look?.failure,
      leave: () => {
        look?.stop();
        this.#running -= 1;
      },
    };
  }

  /** From now on no box enters. Throws `HF_STAGED_BUSY` while one has the layer. */
  suspend({ id }: StagedLayer): void {
    if (this.#running > 0)
      throw new HoldfastError('HF_STAGED_BUSY', `the staged layer ${id} is in use by this sandbox`, {
        remedy: 'wait until its commands have ended and its calls of files are answered',
      });
    this.#state = 'suspended';
  }

  resume(): void {
    this.#state = 'open';
  }
}

function aside({ id }: StagedLayer): HoldfastError {
  return new HoldfastError('HF_STAGED_BUSY', `the staged layer ${id} is being accepted, discarded or restored`, {
    remedy: 'wait until that has ended',
  });
}

/** Looks at a layer's size again and again, more seldom the longer a look takes. */
class Look {
  readonly #layer: StagedLayer;
  readonly #limit: number;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'stopped' = 'open';
  failure: HoldfastError | undefined;

  constructor(layer: StagedLayer, limit: number) {
    this.#layer = layer;
    this.#limit = limit;
  }

  start(end: () => void): void {
    this.#again(pause, end);
  }

  stop(): void {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
  }

  #again(after: number, end: () => void): void {
    if (this.#state === 'open') this.#timer = setTimeout(() => void this.#look(end), after);
  }

  async #look(end: () => void): Promise<void> {
    const begin = performance.now();
    const bytes = await layerBytes(this.#layer);
    if (this.#state === 'stopped') return;
    if (bytes <= this.#limit) {
      this.#again(Math.max(pause, (performance.now() - begin) * share), end);
      return;
    }
    this.failure = tooLarge(this.#layer, bytes, this.#limit);
    end();
  }
}

function tooLarge({ id }: StagedLayer, bytes: number, limit: number): HoldfastError {
  return new HoldfastError(
    'HF_QUOTA_EXCEEDED',
    `the staged layer ${id} took ${Number.isFinite(bytes) ? `${bytes} bytes` : 'more than can be counted'}, and limits.staged allows ${limit}: the command was ended`,
    {
      remedy: `what it wrote is kept: see \`holdfast review ${id}\`, or raise limits.staged`,
      details: { id, bytes, limit },
    },
  );
}
