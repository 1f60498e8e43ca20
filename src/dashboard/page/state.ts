import type { PendingApproval } from '../../approvals/types.ts';
import type { JournalExtent, StreamMessage, Summary } from '../wire.ts';
import { ApiError, request } from './api.ts';

export interface PageState {
  readonly connection: Connection;
  /** What keeps the page from being live. */
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

/** Where the page is: `#/journal/SESSION`. */
export interface Place {
  readonly view: ViewName;
  readonly argument: string;
}

export function placeOf(hash: string): Place {
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

export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

interface StreamListener {
  message(message: StreamMessage): void;
  /** `problem`: what the server said, where it did. */
  connection(state: Connection, problem?: string): void;
}

/**
 * Server-sent events, read by `fetch`, because an `EventSource` cannot send the page's key. Connects again until the
 * server refuses, which it does for good.
 */
export async function follow(listener: StreamListener): Promise<never> {
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
