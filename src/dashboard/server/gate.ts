/** What a browser says about a request, whoever made it do so. */
export interface RequestFacts {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest`: no script can set them. */
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly destination: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * Why a request is refused before anybody looks at what it wants, or undefined. `authority` is `127.0.0.1:PORT`, exactly as the
 * server was opened.
 */
export function gateRefusal(facts: RequestFacts, authority: string): string | undefined {
  return rules.find(({ holds }) => !holds(facts, authority))?.message;
}

interface Rule {
  readonly message: string;
  holds(facts: RequestFacts, authority: string): boolean;
}

const rules: readonly Rule[] = [
  // DNS rebinding: a foreign name that leads here is still the name that the browser sends.
  { message: 'this server has another name', holds: ({ host }, authority) => host === authority },
  { message: 'expected a path', holds: ({ target }) => target.startsWith('/') && !target.startsWith('//') },
  { message: 'expected GET or POST', holds: ({ method }) => method === 'GET' || method === 'POST' },
  // Another port of 127.0.0.1 is the same site, with the same cookies, and still another origin: a server that runs in a box may be there.
  { message: 'another origin may not ask this', holds: ({ origin }, authority) => origin === undefined || origin === `http://${authority}` },
  { message: 'another page may not ask this', holds: isOwnOrNavigation },
  { message: 'a change has to name its origin', holds: ({ method, origin }) => method !== 'POST' || origin !== undefined },
  // A form can send text/plain to anywhere without being asked first.
  { message: 'expected application/json', holds: ({ method, contentType }) => method !== 'POST' || contentType === 'application/json' },
];

/** Links lead to the page itself, which holds nothing; all that is behind it is asked for by the page alone. */
function isOwnOrNavigation({ target, site, mode, destination }: RequestFacts): boolean {
  if (site === undefined || site === 'same-origin') return true;
  if (target !== '/') return site === 'none' && !target.startsWith('/api/');
  return mode === 'navigate' && destination === 'document';
}
