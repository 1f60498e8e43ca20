import * as v from 'valibot';
import { appendEvents, type JournalEvent } from '../../../audit/index.ts';
import { isHoldfastError } from '../../../errors/index.ts';
import { features } from '../../../policy/features/index.ts';
import { mergedEventSchemas } from '../../../policy/features/merge.ts';
import { askPod } from '../ask-pod.ts';
import type { ClusterConnection } from '../connection.ts';

/** Events of a pod's supervisor that are in the journal of this machine. */
export interface CollectedJournal {
  readonly events: number;
  /** Omitted lines: of other kinds, unreadable, or too many. */
  readonly leftOut: number;
}

export interface JournalOfPod {
  readonly pod: string;
  /** ID of the run. */
  readonly run: string;
  /** A workspace of this machine. */
  readonly workspace: string;
}

/** The supervisor's own kinds. A cluster may not write other ones. */
const kept = [
  'connection',
  'request',
  'refusal',
  'model',
  'credential',
  'alarm',
  'dlp',
  'statement',
  'approval.requested',
  'approval.resolved',
] as const;
type KeptEvent = Extract<JournalEvent, { readonly type: (typeof kept)[number] }>;

/** Bytes and events of a journal. */
const longest = 32 << 20;
const mostEvents = 100_000;

/**
 * Appends the events of a pod's supervisor to the journal of this machine, for `usage` and `why`. The cluster can
 * invent them. So their session is `cluster-RUN`, their workspace is that of the run, and their time is now. Returns
 * failures of the cluster, and throws only others.
 */
export async function collectJournal(
  connection: ClusterConnection,
  { pod, run, workspace }: JournalOfPod,
): Promise<CollectedJournal | { readonly failed: string }> {
  const question = { pod, container: 'supervisor', doing: 'reading the journal of the supervisor', longest } as const;
  try {
    const answer = await askPod(connection, { ...question, argv: ['holdfast', 'audit', 'show'] });
    if (answer.exitCode !== 0) return { failed: `it ended with ${answer.exitCode}: ${answer.said}` };
    const lines = answer.stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    const place = { session: `cluster-${run}`, workspace };
    const events = lines.slice(0, mostEvents).flatMap((line) => eventOf(line, place) ?? []);
    const leftOut = lines.length - events.length;
    const told = { type: 'cluster.journal', workspace, run, events: events.length, leftOut } as const;
    appendEvents(connection.journal, [told, ...events]);
    return { events: events.length, leftOut };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { failed: error.message };
  }
}

const schemas = mergedEventSchemas(features).filter(({ entries }) =>
  kept.some((type) => type === entries.type.literal),
);

function eventOf(line: string, place: { readonly session: string; readonly workspace: string }): KeptEvent | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    const type = (entry as { readonly type?: unknown } | null)?.type;
    const schema = schemas.find(({ entries }) => entries.type.literal === type);
    const parsed = schema === undefined ? undefined : v.safeParse(schema, entry);
    return parsed?.success === true ? ({ ...parsed.output, ...place } as KeptEvent) : undefined;
  } catch {
    return undefined;
  }
}
