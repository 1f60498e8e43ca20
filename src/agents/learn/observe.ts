import type { JournalEvent } from '../../audit/index.ts';
import type { PolicyRequest } from '../../policy/request.ts';

/** A request of a recorded run, and how often it occurred. */
export interface Observation {
  readonly request: PolicyRequest;
  readonly times: number;
  /**
   * `seen`: the request was allowed, or refused only by the recording. `held`: a policy or a built-in rule refused it.
   */
  readonly outcome: 'seen' | 'held';
  /** The verdict's reason, if the request was held. */
  readonly why: string;
}

/** Returns the requests of a run from the journal, each once, in the order of their first time. Pure. */
export function observationsOf(events: readonly JournalEvent[]): readonly Observation[] {
  const found = new Map<string, Observation & { readonly type: string }>();
  for (const event of events) {
    const observed = observationOf(event);
    if (observed === undefined) continue;
    const key = JSON.stringify(observed.request);
    const before = found.get(key);
    // A refused connection also has an event as a refusal.
    if (before === undefined) found.set(key, { ...observed, type: event.type });
    else if (before.type === event.type) found.set(key, { ...before, times: before.times + 1 });
  }
  return [...found.values()];
}

function observationOf(event: JournalEvent): Observation | undefined {
  switch (event.type) {
    case 'enforcement':
      return { request: event.request, times: 1, outcome: 'seen', why: '' };
    case 'refusal':
      return {
        request: event.request,
        times: 1,
        outcome: event.verdict.code === 'not-granted' ? 'seen' : 'held',
        why: event.verdict.message,
      };
    case 'connection':
      return {
        request: { kind: 'connect', host: event.host, port: event.port, protocol: 'tcp' },
        times: 1,
        outcome: 'seen',
        why: '',
      };
    default:
      return undefined;
  }
}
