import type { PendingApproval } from '../../approvals/types.ts';
import type { ApiFailure, JournalExtent, StreamMessage, Summary } from '../wire.ts';

export interface PageState {
  readonly connection: LinkState;
  /** Why the page is not live. */
  readonly problem: string | undefined;
  readonly extent: JournalExtent;
  readonly summary: Summary | undefined;
  readonly pending: readonly PendingApproval[];
}

export const initialState: PageState = {
  connection: 'connecting',
  problem: undefined,
  extent: { total: 0, read: 0, generation: 0 },
  summary: undefined,
  pending: [],
};

export const views = [
  { name: 'overview', title: 'Overview' },
  { name: 'approvals', title: 'Approvals' },
  { name: 'sessions', title: 'Sessions' },
  { name: 'refusals', title: 'Refusals' },
  { name: 'network', title: 'Network' },
  { name: 'models', title: 'Models' },
  { name: 'staged', title: 'Staged changes' },
  { name: 'journal', title: 'Journal' },
] as const;

export type ViewName = (typeof views)[number]['name'];

/** The page's address: `#/journal/SESSION`. */
export interface PageRoute {
  readonly view: ViewName;
  readonly argument: string;
}

export function routeOf(hash: string): PageRoute {
  const [, name = '', argument = ''] = /^#\/([a-z]+)(?:\/(.*))?$/u.exec(hash) ?? [];
  return { view: views.find((view) => view.name === name)?.name ?? 'overview', argument: decoded(argument) };
}

export function hashOf(view: ViewName, argument = ''): string {
  return `#/${view}${argument === '' ? '' : `/${encodeURIComponent(argument)}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export type LinkState = 'connecting' | 'live' | 'lost' | 'refused';

interface StreamListener {
  message(message: StreamMessage): void;
  /** `problem`: the server's message, if it sent one. */
  connection(state: LinkState, problem?: string): void;
}

/**
 * Reads server-sent events with `fetch`, because an `EventSource` cannot send the page's key. Reconnects until the
 * server refuses, which is final.
 */
export async function followStream(listener: StreamListener): Promise<never> {
  for (let wait = firstWait; ; wait = Math.min(wait * 2, longestWait)) {
    let problem: string | undefined;
    try {
      const { body } = await request('/stream', {});
      listener.connection('live');
      wait = firstWait;
      if (body !== null) await readMessages(body, listener);
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) {
        listener.connection('refused');
        return new Promise<never>(() => {});
      }
      problem = error instanceof Error ? error.message : undefined;
    }
    listener.connection('lost', problem);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

const firstWait = 500;
const longestWait = 8000;

async function readMessages(body: ReadableStream<Uint8Array>, listener: StreamListener): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages)
      listener.message(JSON.parse(message.replaceAll(/^data: ?/gmu, '')) as StreamMessage);
  }
}

/** An error message from the server. */
class ApiError extends Error {
  readonly failure: ApiFailure;
  readonly status: number;

  constructor(failure: ApiFailure, status: number) {
    super(failure.message);
    this.failure = failure;
    this.status = status;
  }
}

const keyName = 'holdfast-key';
const gone: ApiFailure = {
  code: '',
  message: 'The dashboard does not answer. It ends with its terminal.',
  remedy: 'Start it again: holdfast dashboard',
};

/**
 * Exchanges the token of the link for a pass, once, and removes the token from the address. Returns whether this page
 * has a pass, perhaps from before a reload.
 */
export async function enterDashboard(): Promise<boolean> {
  const token = /^#([0-9a-f]{64})$/u.exec(location.hash)?.[1];
  if (token === undefined) return sessionStorage.getItem(keyName) !== null;
  history.replaceState(null, '', '/');
  const { key } = await postJson<{ readonly key: string }>('/enter', { token });
  sessionStorage.setItem(keyName, key);
  return true;
}

export async function get<T>(path: string): Promise<T> {
  return (await (await request(path, {})).json()) as T;
}

export async function postJson<T>(path: string, body: object): Promise<T> {
  return (await (
    await request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  ).json()) as T;
}

/** Throws `ApiError`. */
async function request(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(keyName, sessionStorage.getItem(keyName) ?? '');
  const answer = await fetch(`/api${path}`, { ...init, headers, credentials: 'same-origin', redirect: 'error' }).catch(
    (error: unknown) => {
      throw init.signal?.aborted === true ? error : new ApiError(gone, 0);
    },
  );
  if (!answer.ok)
    throw new ApiError(((await answer.json().catch(() => undefined)) as ApiFailure | undefined) ?? gone, answer.status);
  return answer;
}
