import { matchesStars } from '../../policy/patterns/wildcard.ts';

/** Whether `*` in a pattern, any number of characters, makes it the text. Case does not matter. */
export function matchesGlob(pattern: string, text: string): boolean {
  return matchesStars(pattern.toLowerCase(), text.toLowerCase());
}

/**
 * A model by the name in its request, or by the one that tables know it by, alone or behind its provider and `/`. What
 * cannot be the name of a model is matched by nothing.
 */
export function matchesModel(
  pattern: string,
  { provider, model }: { readonly provider: string; readonly model: string },
): boolean {
  const name = modelName(provider, model);
  const names = name === undefined ? [] : [name];
  return [...names, ...(model.length > longestModelName ? [] : [model])].some(
    (one) => matchesGlob(pattern, one) || matchesGlob(pattern, `${provider}/${one}`),
  );
}

/**
 * No provider has longer ones. An application may ask for a model of any name, and each is compared with hundreds of
 * patterns.
 */
export const longestModelName = 256;

/**
 * Those whose name says the model. Application profiles and provisioned or imported models are paid for in other ways.
 */
const bedrockResource = /^arn:[a-z-]+:bedrock:[a-z0-9-]*:\d*:(?:inference-profile|foundation-model)\/([^/]+)$/u;
const googleResource = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?models\/([^/]+)$/u;

/**
 * The name that a price table knows a model by, in small letters: without what paths and ARNs of its provider put
 * before it. Undefined for a name that cannot be one.
 */
export function modelName(provider: string, model: string): string | undefined {
  if (model.length > longestModelName) return undefined;
  const name = unescaped(model).trim().toLowerCase();
  if (name === '') return undefined;
  if (provider === 'google') return googleResource.exec(name)?.[1] ?? withoutSlash(name);
  if (provider === 'aws') return bedrockResource.exec(name)?.[1] ?? withoutSlash(name);
  return name;
}

/**
 * What is left of these providers is a resource of another kind, tuned models for one, whose prices are not those of
 * the name within.
 */
function withoutSlash(name: string): string | undefined {
  return name.includes('/') ? undefined : name;
}

/** Bedrock's names stand in paths, with `%3A` for their colon. */
function unescaped(model: string): string {
  if (!model.includes('%')) return model;
  try {
    return decodeURIComponent(model);
  } catch {
    return model;
  }
}
