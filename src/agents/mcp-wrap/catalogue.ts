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
  /** Tells the agent by this method that its list has changed. */
  readonly notify: (method: string) => void;
}

export type CatalogueLookup =
  | { readonly kind: 'found'; readonly settled: PinnedDefinition }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly answer: RpcOutcome };

/** The part of one server list that exists for the agent: approved items, in their approved form. */
export class Catalogue {
  readonly #options: CatalogueOptions;
  #known: ReadonlyMap<string, PinnedDefinition> | undefined;
  #heard: 'as it is' | 'another' = 'as it is';

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** Answers a list request with one page, looked up again. Meanwhile someone is asked about withheld items. */
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

  /** Finds one item by its name, in any state. Asks the server if its list is unknown or has changed. */
  async find(id: string): Promise<CatalogueLookup> {
    if (this.#known === undefined) {
      const looked = await this.#look();
      if (!('all' in looked)) return { kind: 'failed', answer: looked };
    }
    const settled = this.#known?.get(id);
    return settled === undefined ? { kind: 'unknown' } : { kind: 'found', settled };
  }

  /**
   * Waits for a person's answer about a withheld item. Returns why it stays withheld, or undefined. The server may have
   * changed the item meanwhile.
   */
  async approve(settled: PinnedDefinition, signal: AbortSignal): Promise<string | undefined> {
    const refused = await this.#options.pinning.approve(settled, signal);
    if (refused !== undefined) return refused;
    this.#admit(settled);
    const now = await this.find(settled.said.id);
    return now.kind === 'found' && now.settled.state === 'admitted' ? undefined : 'the server has changed it again';
  }

  /** Call when the server says that its list has changed. */
  serverChanged(): void {
    this.forget();
    this.#tellChanged();
  }

  /** Drops the known list, so that the next look-up asks the server. */
  forget(): void {
    this.#known = undefined;
  }

  /** Tells the agent once, until it has listed the items again. */
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

  /** Admits an item only if the server still lists it as approved. */
  #admit(settled: PinnedDefinition): void {
    const now = this.#known?.get(settled.said.id);
    if (now === undefined || now.definition.sha256 !== settled.definition.sha256) return;
    this.#known = new Map([...(this.#known ?? []), [settled.said.id, { ...settled, state: 'admitted' }]]);
  }
}
