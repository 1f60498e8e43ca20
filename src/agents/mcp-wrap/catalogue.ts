import type { Pinning, PinnedDefinition } from '../../mcp/pinning.ts';
import { listedKeys, type ListedKind } from '../../mcp/said.ts';
import type { ServerBox } from '../../mcp/server-box.ts';
import { filteredParams } from './filter-result.ts';
import { defused } from './initialise.ts';
import { listedBy, listings } from './listings.ts';
import type { RpcOutcome, Outgoing } from './rpc.ts';
import type { Withholding } from './withholding.ts';

export interface CatalogueOptions {
  readonly kind: ListedKind;
  readonly box: ServerBox;
  readonly pinning: Pinning;
  readonly withholding: Withholding;
  readonly server: Outgoing;
  /** Tells the agent by this method that others exist for it than it was told. */
  readonly notify: (method: string) => void;
}

export type CatalogueLookup =
  | { readonly kind: 'found'; readonly settled: PinnedDefinition }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly answer: RpcOutcome };

/** What of one list of the server exists for the agent: what was approved, as it was approved. */
export class Catalogue {
  readonly #options: CatalogueOptions;
  #known: ReadonlyMap<string, PinnedDefinition> | undefined;
  #heard: 'as it is' | 'another' = 'as it is';

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /**
   * What the agent gets as the answer to a list: one page, looked up again. About what is withheld someone is asked
   * meanwhile.
   */
  async list(): Promise<RpcOutcome> {
    const { kind, box, withholding } = this.#options;
    this.#heard = 'as it is';
    const looked = await this.#look();
    if (!('all' in looked)) return looked;
    for (const settled of looked.all) {
      if (settled.state === 'admitted') continue;
      withholding.ask(settled, () => {
        this.#admit(settled);
        this.#tellChanged();
      });
    }
    return {
      result: {
        [listings[kind].key]: looked.all
          .filter(({ state }) => state === 'admitted')
          .map(({ said }) => filteredParams('tool-description', defused(box.policy, listedKeys(said)))),
      },
    };
  }

  /** One of them by its name, whatever its state. The server is asked where its list is not known, or has changed. */
  async find(id: string): Promise<CatalogueLookup> {
    if (this.#known === undefined) {
      const looked = await this.#look();
      if (!('all' in looked)) return { kind: 'failed', answer: looked };
    }
    const settled = this.#known?.get(id);
    return settled === undefined ? { kind: 'unknown' } : { kind: 'found', settled };
  }

  /**
   * Waits for a person's answer about what is withheld. Gives why it stays so, or nothing. While they looked, the
   * server may have said something else again.
   */
  async approve(settled: PinnedDefinition, signal: AbortSignal): Promise<string | undefined> {
    const refused = await this.#options.pinning.approve(settled, signal);
    if (refused !== undefined) return refused;
    this.#admit(settled);
    const now = await this.find(settled.said.id);
    return now.kind === 'found' && now.settled.state === 'admitted'
      ? undefined
      : 'the server says something else again';
  }

  /** The server says that its list is another one. */
  serverChanged(): void {
    this.forget();
    this.#tellChanged();
  }

  /** What is asked for next by its name is looked up again. */
  forget(): void {
    this.#known = undefined;
  }

  /** Until the agent has listed them again, it is told once. */
  #tellChanged(): void {
    if (this.#heard === 'another') return;
    this.#heard = 'another';
    this.#options.notify(listings[this.#options.kind].changed);
  }

  async #look(): Promise<{ readonly all: readonly PinnedDefinition[] } | RpcOutcome> {
    const { kind, server, pinning, withholding } = this.#options;
    const listed = await listedBy(server, kind);
    if (listed.kind === 'failed') return listed.answer;
    const all = pinning.settle(kind, listed.all);
    this.#known = new Map(all.map((settled) => [settled.said.id, settled]));
    withholding.tell(all.filter(({ state }) => state !== 'admitted'));
    return { all };
  }

  /** Only if the server lists it still as it was approved. */
  #admit(settled: PinnedDefinition): void {
    const now = this.#known?.get(settled.said.id);
    if (now === undefined || now.definition.sha256 !== settled.definition.sha256) return;
    this.#known = new Map([...(this.#known ?? []), [settled.said.id, { ...settled, state: 'admitted' }]]);
  }
}
