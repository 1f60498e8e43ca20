import { OutputFilter, type TextFinding } from '../text/index.ts';
import { KeptEnds, KeptStart } from '../session/commands/kept.ts';
import type { KeptPart } from '../session/commands/collect-output.ts';
import type { Reader } from '../session/shown-output.ts';

export interface HeardOptions {
  readonly show: Reader | undefined;
  /** Bytes. */
  readonly limit: number;
  readonly keep: KeptPart | undefined;
  readonly onOutput: ((chunk: Buffer) => void) | undefined;
}

/** One stream of one execution, as it is kept and shown. */
export class HeardOutput {
  readonly #options: HeardOptions;
  readonly #kept: KeptStart | KeptEnds;
  readonly #filter: OutputFilter | undefined;

  constructor(options: HeardOptions) {
    this.#options = options;
    this.#kept = options.keep === 'ends' ? new KeptEnds(options.limit) : new KeptStart(options.limit);
    this.#filter = options.show === undefined ? undefined : new OutputFilter({ for: options.show });
  }

  readonly push = (chunk: Buffer): void => this.#keep(this.#filter?.push(chunk) ?? chunk);

  end(): { readonly bytes: Buffer; readonly truncated: number; readonly findings: readonly TextFinding[] } {
    if (this.#filter !== undefined) this.#keep(this.#filter.end());
    return {
      bytes: this.#kept.bytes(),
      truncated: this.#kept.leftOut,
      findings: this.#filter?.report().findings ?? [],
    };
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#kept.push(chunk);
    this.#options.onOutput?.(chunk);
  }
}
