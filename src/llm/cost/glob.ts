import { matchesStars } from '../../policy/patterns/wildcard.ts';
import { longestModelName, modelName } from './model-name.ts';

/** Whether `*` in a pattern, any number of characters, makes it the text. Case does not matter. */
export function matchesGlob(pattern: string, text: string): boolean {
  return matchesStars(pattern.toLowerCase(), text.toLowerCase());
}

/**
 * A model by the name in its request, or by the one that tables know it by, alone or behind its provider and `/`. What cannot be the
 * name of a model is matched by nothing.
 */
export function matchesModel(pattern: string, { provider, model }: { readonly provider: string; readonly model: string }): boolean {
  const name = modelName(provider, model);
  const names = name === undefined ? [] : [name];
  return [...names, ...(model.length > longestModelName ? [] : [model])].some((one) => matchesGlob(pattern, one) || matchesGlob(pattern, `${provider}/${one}`));
}
