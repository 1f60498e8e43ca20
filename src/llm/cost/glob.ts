import { longestModelName, modelName } from './model-name.ts';

/**
 * Whether `*` in a pattern, any number of characters, makes it the text. Case does not matter. Takes at most the product of both
 * lengths.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const wanted = pattern.toLowerCase();
  const given = text.toLowerCase();
  let star = -1;
  let retry = 0;
  let at = 0;
  let index = 0;
  while (index < given.length) {
    if (wanted[at] === '*') {
      star = at;
      at += 1;
      retry = index;
    } else if (at < wanted.length && wanted[at] === given[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      index = retry;
    } else return false;
  }
  while (wanted[at] === '*') at += 1;
  return at === wanted.length;
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
