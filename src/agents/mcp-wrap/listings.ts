import type { ListedKind, Said } from '../../mcp/said.ts';
import { shownAnswer } from './filter-result.ts';
import { type RpcOutcome, codes, rpcError, type Outgoing } from './rpc.ts';

const mostPages = 100;
const mostListed = 1000;

interface Listing {
  readonly method: string;
  /** Key of the items in the answer, and the name of an item. */
  readonly key: string;
  readonly id: string;
  /** Notification that tells an agent about a changed list. */
  readonly changed: string;
  /** A server without this capability has no such list. */
  readonly capability: string;
  readonly nouns: string;
}

/** Requests for each list. */
export const listings = {
  tool: {
    method: 'tools/list',
    key: 'tools',
    id: 'name',
    changed: 'notifications/tools/list_changed',
    capability: 'tools',
    nouns: 'tools',
  },
  prompt: {
    method: 'prompts/list',
    key: 'prompts',
    id: 'name',
    changed: 'notifications/prompts/list_changed',
    capability: 'prompts',
    nouns: 'prompts',
  },
  template: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    id: 'uriTemplate',
    changed: 'notifications/resources/list_changed',
    capability: 'resources',
    nouns: 'resource templates',
  },
} as const satisfies Readonly<Record<ListedKind, Listing>>;

export type Listed =
  | { readonly kind: 'listed'; readonly all: readonly Said[] }
  | { readonly kind: 'failed'; readonly answer: RpcOutcome };

/** Returns all pages of a list. Each name occurs once. */
export async function listedBy(server: Outgoing, kind: ListedKind): Promise<Listed> {
  const listing = listings[kind];
  const listed = await pagesOf(server, kind);
  if (listed.kind === 'failed') return listed;
  const ids = listed.all.map(({ id }) => id);
  return new Set(ids).size === ids.length
    ? listed
    : refused(`the server lists two ${listing.nouns} of one name, and Holdfast cannot tell them apart`);
}

async function pagesOf(server: Outgoing, kind: ListedKind): Promise<Listed> {
  const { method, key, nouns } = listings[kind];
  const all: Said[] = [];
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await server.ask(method, cursor === undefined ? {} : { cursor });
    if ('error' in answer) return { kind: 'failed', answer: shownAnswer(answer) };
    const some = answer.result[key];
    const said = Array.isArray(some) ? some.map((value) => saidOf(kind, value)) : [undefined];
    if (!said.every((each) => each !== undefined))
      return refused(`the server answered ${method} with something else than ${nouns}`);
    all.push(...said);
    if (all.length > mostListed) return refused(`the server lists more than ${mostListed} ${nouns}`);
    if (typeof answer.result['nextCursor'] !== 'string') return { kind: 'listed', all };
    cursor = answer.result['nextCursor'];
  }
  return refused(`the server lists its ${nouns} on more than ${mostPages} pages`);
}

function saidOf(kind: ListedKind, value: unknown): Said | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const id = (value as Readonly<Record<string, unknown>>)[listings[kind].id];
  return typeof id === 'string' ? { kind, id, value: value as Said['value'] } : undefined;
}

function refused(why: string): Listed {
  return { kind: 'failed', answer: rpcError(codes.refused, why) };
}
