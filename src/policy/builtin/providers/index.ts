/**
 * Providers: what the services that people have keys for are like, as data: hosts, how the key is sent, variables that
 * clients read, and what the key looks like. Only facts with a source may enter, and no host that others may take over.
 */
import { cloudProviders } from './clouds.ts';
import { forgeProviders } from './forges.ts';
import { languageModelProviders } from './language-models.ts';
import type { Provider } from './provider.ts';
import { registryProviders } from './registries.ts';

export type { Provider } from './provider.ts';

const table = { ...languageModelProviders, ...cloudProviders, ...forgeProviders, ...registryProviders };

export type ProviderName = keyof typeof table;

/** In the order of the manual. */
export const providerNames = Object.keys(table) as readonly ProviderName[] as readonly [ProviderName, ...ProviderName[]];

export const providers: Readonly<Record<ProviderName, Provider>> = table;
