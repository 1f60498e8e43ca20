/**
 * Presets: hosts that belong together under one name, as data. A preset has only public names with a port, never
 * addresses or networks. It may have a host that serves any user's uploads under the same name only if its purpose says
 * so.
 */
import { forgePresets } from './forges.ts';
import { languagePresets } from './languages.ts';
import { type Preset, servicePresets } from './services.ts';
import { systemPresets } from './systems.ts';

export type { Preset } from './services.ts';

const table = { ...languagePresets, ...forgePresets, ...systemPresets, ...servicePresets };

export type PresetName = keyof typeof table;

/** Names in the order of the manual. */
export const presetNames = Object.keys(table) as readonly PresetName[] as readonly [PresetName, ...PresetName[]];

export const presets: Readonly<Record<PresetName, Preset>> = table;

export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(table, name);
}
