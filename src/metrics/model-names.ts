import type { ModelEvent } from '../audit/index.ts';
import type { PriceOf } from '../llm/cost/custom-price.ts';
import { knownServers } from '../policy/llm/known-servers.ts';
import { escapeHidden } from '../text/escape-hidden.ts';
import { otherName } from './table.ts';

const mostProviders = 20;
const mostModels = 50;
const longestName = 100;

const known = new Set(knownServers.map(({ provider }) => provider));
const nothing = { uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };

/**
 * Limits the names of providers and models that become labels, because a box may request any number of models. A name
 * in the price table is used as the table spells it. Any other name is used only after a server has answered a call to
 * it, and only the first of these are used.
 */
export class ModelNames {
  readonly #providers = new FewNames(mostProviders);
  readonly #models = new FewNames(mostModels);
  #priceOf: PriceOf | undefined;

  /** Whether the price table is loaded. Until then, its names are treated like any others. */
  get isComplete(): boolean {
    return this.#priceOf !== undefined;
  }

  /** Loads the price table, which takes 8 MB. Most servers never see a call to a model. */
  async complete(): Promise<void> {
    this.#priceOf = (await import('../llm/cost/custom-price.ts')).createPricer({});
  }

  labelsOf({ provider, model, status, refusal }: ModelEvent): { readonly provider: string; readonly model: string } {
    return {
      provider: known.has(provider) ? provider : this.#providers.admitted(provider),
      model:
        model === undefined
          ? 'unknown'
          : (this.#nameInTable(provider, model) ??
            (refusal === undefined && isGood(status) ? this.#models.admitted(model) : this.#models.known(model))),
    };
  }

  /** Does not depend on the date: if a model has a price now, the table has its name. */
  #nameInTable(provider: string, model: string): string | undefined {
    const cost = this.#priceOf?.(nothing, { provider, model, at: new Date() });
    return cost?.kind === 'priced' ? cost.model : undefined;
  }
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Keeps the first names, up to a limit. Every later name is `other`. */
class FewNames {
  readonly #most: number;
  readonly #names = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  admitted(text: string): string {
    const name = shown(text);
    if (this.#names.size < this.#most) this.#names.add(name);
    return this.known(text);
  }

  known(text: string): string {
    const name = shown(text);
    return this.#names.has(name) ? name : otherName;
  }
}

function shown(text: string): string {
  return escapeHidden(text.slice(0, longestName));
}
