/** The place of a request's object in the API. */
export interface Place {
  readonly group: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name?: string;
  readonly subresource?: string;
}

const placePattern =
  /^\/(?:api\/v1|apis\/(?<group>[^/]+)\/[^/]+)\/namespaces\/(?<namespace>[^/]+)\/(?<plural>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<subresource>[^/]+))?)?$/u;

export function placeOf(path: string): Place | undefined {
  const found = placePattern.exec(path)?.groups;
  if (found === undefined) return undefined;
  const { group = '', namespace = '', plural = '', name, subresource } = found;
  return {
    group,
    namespace,
    plural,
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

export function verbOf(method: string, { name }: Place, { searchParams }: URL): string {
  if (method === 'GET' && name === undefined) return searchParams.get('watch') === '1' ? 'watch' : 'list';
  return { GET: 'get', POST: 'create', PATCH: 'patch', DELETE: 'delete' }[method] ?? method;
}
