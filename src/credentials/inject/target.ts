/** One `name=value` of a query. */
export interface Parameter {
  /** Parameter as sent. */
  readonly text: string;
  /** Decoded name, or the name as sent if it cannot be decoded. */
  readonly name: string;
}

/** Returns the path of a target, without its query. */
export function targetPath(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

export function parametersOf(target: string): readonly Parameter[] {
  const query = queryOf(target);
  return query === undefined
    ? []
    : query.split('&').map((text) => ({ text, name: decoded(text.split('=', 1)[0] ?? '') }));
}

/** Returns the path with another query. Without parameters, the result has no query. */
export function withParameters(target: string, parameters: readonly string[]): string {
  return parameters.length === 0 ? targetPath(target) : `${targetPath(target)}?${parameters.join('&')}`;
}

/** Escapes everything except unreserved characters, for a query or a path segment. */
export function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function queryOf(target: string): string | undefined {
  const start = target.indexOf('?');
  return start === -1 ? undefined : target.slice(start + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
