import { EventBatch } from '../../audit/event-batch.ts';
import type { Place } from '../../place/place.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { LookupRecord } from '../dns/find.ts';
import type {
  ConnectionRecord,
  Destination,
  EgressRefusal,
  EgressRefusalCode,
  RequestRecord,
  StatementRecord,
} from '../types.ts';
import type { ClientEnd, ClientProcess } from './find-process.ts';

export interface NetworkRecorders {
  record(connection: ConnectionRecord, client?: ClientEnd): void;
  recordRequest(request: RequestRecord): void;
  recordLookup(lookup: LookupRecord): void;
  recordStatement(statement: StatementRecord): void;
  refused(refusal: EgressRefusal, destination: Destination): void;
}

export interface NetworkJournalOptions {
  /** Called if events could not be written. */
  readonly onLost?: () => void;
  readonly id: string;
  readonly place: Place;
  /** Returns the process at the other end of a connection, if it was found when the connection began. */
  readonly processOf?: (client: ClientEnd) => ClientProcess | undefined;
}

export interface NetworkJournal {
  /** `lost`: events were lost, so no more traffic may pass. */
  readonly state: 'kept' | 'lost';
  readonly recorders: NetworkRecorders;
  /** Writes the remaining events and returns each refusal once. Throws if the journal cannot be written. */
  close(): readonly Refusal[];
}

/** Most lines to print on a terminal. The journal has all of them. */
const mostRefusals = 20;

/** Collects the network events of one box, for the journal and for the command's stderr. */
export function createNetworkJournal({ id, place, processOf: find, onLost }: NetworkJournalOptions): NetworkJournal {
  const common = { session: id, workspace: place.workspace.root };
  const refusals = new Map<string, Refusal>();
  const batch = new EventBatch(place.paths.journal, () => onLost?.());
  const processOf = (client: ClientEnd | undefined): { readonly process?: ClientProcess } => {
    const found = client === undefined ? undefined : find?.(client);
    return found === undefined ? {} : { process: found };
  };
  const refuse = (refusal: Refusal): void => {
    // The event is on disk before the box gets its answer.
    batch.push({ type: 'refusal', ...common, observed: 'enforcement', ...refusal }, 'now');
    const key = `${JSON.stringify(refusal.request)} ${refusal.verdict.message}`;
    if (refusals.size < mostRefusals) refusals.set(key, refusal);
  };
  return {
    get state() {
      return batch.failure === undefined ? 'kept' : 'lost';
    },
    recorders: {
      record: (connection, client) =>
        batch.push({ type: 'connection', ...common, ...connectionFacts(connection), ...processOf(client) }, 'soon'),
      recordRequest: (request) => batch.push({ type: 'request', ...common, ...requestFacts(request) }, 'soon'),
      recordStatement: (statement) =>
        batch.push(
          { type: 'statement', ...common, ...statementFacts(statement) },
          statement.decision === 'deny' ? 'now' : 'soon',
        ),
      recordLookup: ({ name, type, outcome, verdict }) => {
        // A refused look-up of an address is not reported here. The connection that follows reports the refusal, with
        // its port.
        if (outcome === 'refused' && verdict !== undefined && type !== 'A' && type !== 'AAAA')
          refuse({ request: { kind: 'dns', name, recordType: type }, verdict });
      },
      refused: (refusal, { host, port }) => {
        if (isOurs[refusal.code])
          refuse({ request: { kind: 'connect', host, port, protocol: 'tcp' }, verdict: verdictOf(refusal) });
      },
    },
    close() {
      batch.flush();
      if (batch.failure !== undefined) throw batch.failure;
      return [...refusals.values()];
    },
  };
}

/** Refusals that Holdfast decides, as opposed to failures of the network or the other side. */
const isOurs: Readonly<Record<EgressRefusalCode, boolean>> = {
  policy: true,
  'special-address': true,
  'special-name': true,
  'malformed-host': true,
  'authority-mismatch': true,
  'malformed-request': true,
  'unauthorised-proxy': true,
  'upstream-certificate': true,
  'phantom-misused': true,
  'secret-exposed': true,
  'foreign-credential': true,
  'credential-unavailable': true,
  'data-loss': true,
  overloaded: true,
  'client-tls': true,
  'name-not-found': false,
  'resolver-failed': false,
  unreachable: false,
  'upstream-timeout': false,
  'upstream-protocol': false,
};

/** Returns the verdict of the deciding rule, if any, with the refusal's more precise message. */
function verdictOf({ code, message, remedy, verdict }: EgressRefusal): Verdict {
  const origin = verdict ?? {
    decision: 'deny',
    code: 'unrepresentable',
    rule: code,
    layer: 'required',
    file: 'built-in',
    line: 0,
  };
  return { ...origin, decision: 'deny', message, remedy };
}

function connectionFacts({
  front,
  destination,
  address,
  verdict,
  refusal,
  bytesSent,
  bytesReceived,
  duration,
}: ConnectionRecord) {
  return {
    front,
    host: destination.host,
    port: destination.port,
    ...(address === undefined ? {} : { address }),
    ...(verdict === undefined ? {} : { decision: verdict.decision, rule: verdict.rule }),
    ...(refusal === undefined ? {} : { refusal: { code: refusal.code, message: refusal.message } }),
    sent: bytesSent,
    received: bytesReceived,
    duration,
  };
}

function requestFacts({ request: { method, scheme, host, port, path }, status, verdict, refusal }: RequestRecord) {
  return {
    method,
    scheme,
    host,
    port,
    path,
    status,
    ...(verdict === undefined ? {} : { decision: verdict.decision, rule: verdict.rule }),
    ...(refusal === undefined ? {} : { refusal: { code: refusal.code, message: refusal.message } }),
  };
}

/**
 * Most characters of a statement. A script of megabytes would fill the journal with content that its author already
 * has.
 */
const longestStatement = 2000;

function statementFacts({ destination: { host, port }, text, ...facts }: StatementRecord) {
  return { ...facts, host, port, text: text.slice(0, longestStatement) };
}
