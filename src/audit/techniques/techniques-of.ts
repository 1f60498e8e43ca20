import { type FileOperation, type PolicyRequest, registryTechniques, type Verdict } from '../../policy/index.ts';
import type { FindingKind } from '../../text/index.ts';
import type { AlarmEvent, JournalEvent } from '../events.ts';
import { type Technique, type TechniqueId, techniqueOf, techniques } from './table.ts';

type Ids = readonly TechniqueId[];
type ByType = {
  readonly [Type in JournalEvent['type']]: (event: Extract<JournalEvent, { readonly type: Type }>) => Ids;
};
type ByKind = {
  readonly [Kind in PolicyRequest['kind']]: (request: Extract<PolicyRequest, { readonly kind: Kind }>) => Ids;
};

/**
 * What an event shows in the words of MITRE ATT&CK, most telling first; empty for what shows no attack, and for an
 * entry that somebody made up, which may have any shape.
 */
export function techniquesOf(event: JournalEvent): readonly Technique[] {
  return [...new Set(idsOf(event))].filter((id) => Object.hasOwn(techniques, id)).map(techniqueOf);
}

function idsOf(event: JournalEvent): Ids {
  try {
    const find = byType[event.type] as ((event: JournalEvent) => Ids) | undefined;
    return Array.from(find?.(event) ?? []);
  } catch {
    return [];
  }
}

const none = (): Ids => [];
/** A read that is refused only because nobody granted it is still collection. */
const judged = ({
  request,
  verdict,
}: {
  readonly request: PolicyRequest;
  readonly verdict: Pick<Verdict, 'code'>;
}): Ids => (request.kind === 'registry' ? byRequest(request) : [...byCode[verdict.code], ...byRequest(request)]);
const ifRefused =
  (ids: Ids) =>
  (event: { readonly refusal?: unknown; readonly decision?: unknown }): Ids =>
    event.refusal !== undefined || event.decision === 'deny' ? ids : [];

const byType: ByType = {
  refusal: judged,
  enforcement: judged,
  'approval.requested': judged,
  'approval.resolved': none,
  quarantine: () => ['T1546'],
  connection: (event) => [...ifRefused(addressIds(event.host))(event), ...ifRefused(['T1071'])(event)],
  request: (event) => ifRefused(byKind.http({ ...event, kind: 'http' }))(event),
  statement: ifRefused(['T1213.006']),
  model: none,
  dlp: ({ decision }) => (decision === 'audit' ? [] : ['T1567', 'T1552']),
  credential: ({ action }) => (action === 'exposed' ? ['T1552'] : []),
  alarm: ({ alarm }) => byAlarm[alarm],
  text: ({ findings }) => (Object.keys(findings) as FindingKind[]).flatMap((kind) => byFinding[kind] ?? []),
  'trust.withheld': () => ['T1195.001', 'T1546'],
  'trust.decided': none,
  'journal.begun': () => ['T1070'],
  'journal.keyed': none,
  'journal.rotated': none,
  'journal.repaired': none,
  'journal.lost': none,
  'journal.clock': none,
  'session.start': none,
  'session.end': none,
  'staged.accept': none,
  'staged.discard': none,
  'staged.undo': none,
  'staged.fork': none,
  'policy.narrow': none,
  'code.run': none,
  'trash.restore': none,
  'trash.purge': none,
  'checkpoint.create': none,
  'checkpoint.restore': none,
  'checkpoint.remove': none,
};

/** What the reason of a verdict says, whatever was asked. */
const byCode: Readonly<Record<Verdict['code'], Ids>> = {
  'credential-store': ['T1552.001'],
  'hidden-file': ['T1552.001'],
  'protected-path': ['T1546'],
  'policy-file': ['T1562.001'],
  'planted-program': ['T1574.007'],
  unrepresentable: ['T1027'],
  granted: [],
  rule: [],
  'deny-set': [],
  'not-granted': [],
  'outside-ceiling': [],
  withheld: [],
  'unknown-word': [],
  'not-understood': [],
};

const byOperation: Readonly<Record<FileOperation, Ids>> = {
  read: ['T1005'],
  write: ['T1565.001'],
  create: [],
  delete: ['T1485'],
  execute: ['T1059'],
};

const byKind: ByKind = {
  file: ({ operation }) => byOperation[operation],
  exec: () => ['T1059'],
  connect: ({ host }) => [...addressIds(host), 'T1071'],
  http: ({ host, method }) => [
    ...addressIds(host),
    ...(reading.includes(method) ? [] : (['T1567'] as const)),
    'T1071.001',
  ],
  dns: () => ['T1071.004'],
  socket: ({ address }) => (containerSockets.test(address) ? ['T1611', 'T1559'] : ['T1559']),
  signal: ({ target }) => (target === 'supervisor' ? ['T1562.001', 'T1489'] : target === 'outside' ? ['T1489'] : []),
  env: () => ['T1552'],
  tool: none,
  trust: () => ['T1195.001'],
  // Identifiers of a table of the policy; those that this table does not name are left out in the end.
  registry: (request) => [
    ...(registryTechniques(request) as Ids),
    ...(request.operation === 'read' ? [] : (['T1112'] as const)),
  ],
};

function byRequest(request: PolicyRequest): Ids {
  const find = byKind[request.kind] as (request: PolicyRequest) => Ids;
  return find(request);
}

const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Sockets whose owner starts containers with whatever it is told to mount. */
const containerSockets = /\/(?:docker|podman|containerd|crio)(?:\/[\w.-]+)?\.sock$/u;
/** Where clouds hand out the credentials of a machine: AWS, Azure, Google Cloud and others. */
const metadataHosts: readonly string[] = [
  '169.254.169.254',
  '169.254.170.2',
  'fd00:ec2::254',
  '100.100.100.200',
  'metadata.google.internal',
];

function addressIds(host: string): Ids {
  return metadataHosts.includes(host.toLowerCase()) ? ['T1552.005'] : [];
}

const byAlarm: Readonly<Record<AlarmEvent['alarm'], Ids>> = {
  'phantom-unbound': ['T1567', 'T1528'],
  'phantom-misplaced': ['T1567', 'T1528'],
  'phantom-revoked': ['T1528'],
  'secret-outbound': ['T1567', 'T1552'],
  'secret-reflected': ['T1528'],
  'foreign-credential': ['T1550.001'],
};

const byFinding: Readonly<Partial<Record<FindingKind, Ids>>> = {
  bidi: ['T1036.002'],
  invisible: ['T1027'],
  tag: ['T1027'],
  'variation-selector': ['T1027'],
  filler: ['T1027'],
  annotation: ['T1027'],
  'escape-sequence': ['T1027'],
  outbound: ['T1567'],
};
