import type { PendingApproval } from '../../approvals/types.ts';
import type { JournalExtent, Summary } from '../wire.ts';
import type { Connection } from './stream.ts';

export interface PageState {
  readonly connection: Connection;
  /** What keeps the page from being live. */
  readonly problem: string | undefined;
  readonly extent: JournalExtent;
  readonly summary: Summary | undefined;
  readonly pending: readonly PendingApproval[];
}

export const initialState: PageState = { connection: 'connecting', problem: undefined, extent: { total: 0, read: 0, generation: 0 }, summary: undefined, pending: [] };

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
