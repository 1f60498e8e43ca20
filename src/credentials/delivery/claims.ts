/** A JSON Web Token whose claims say nothing but when it begins and ends, or undefined for what is none. RFC 7519 §4.1. */
export function withoutClaims(token: string): string | undefined {
  const [header = '', payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) return undefined;
  const claims = parsed(payload);
  if (claims === undefined || parsed(header) === undefined) return undefined;
  const kept = Object.fromEntries(['exp', 'iat', 'nbf'].flatMap((name) => (typeof claims[name] === 'number' ? [[name, claims[name]]] : [])));
  return [header, Buffer.from(JSON.stringify(kept)).toString('base64url'), signature].join('.');
}

function parsed(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
