import { registryTechniques } from '../../policy/builtin/find-registry-key.ts';
import type { FileAccess, PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { FindingKind } from '../../text/index.ts';
import type { AlarmEvent, JournalEvent } from '../events.ts';

type Ids = readonly TechniqueId[];
type ByType = {
  readonly [Type in JournalEvent['type']]: (event: Extract<JournalEvent, { readonly type: Type }>) => Ids;
};
type ByKind = {
  readonly [Kind in PolicyRequest['kind']]: (request: Extract<PolicyRequest, { readonly kind: Kind }>) => Ids;
};

/**
 * Returns the MITRE ATT&CK techniques that an event shows, most telling first. Empty for an event that shows no attack,
 * and for a forged entry, which may have any shape.
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
/** A refused read still counts as collection, even if it was refused only for lack of a grant. */
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
  covered: none,
  trace: ({ what }) => (what === 'exec' ? ['T1546'] : []),
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
  'bundle.enforced': none,
  'bundle.refused': none,
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
  'cluster.run': none,
  'cluster.proof': none,
  'cluster.pool': none,
  'cluster.collect': none,
  'cluster.journal': none,
  'policy.narrow': none,
  'code.run': none,
  'trash.restore': none,
  'trash.purge': none,
  'checkpoint.create': none,
  'checkpoint.restore': none,
  'checkpoint.remove': none,
};

/** Techniques by the code of a verdict, for every kind of request. */
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
  'command-class': [],
};

const byOperation: Readonly<Record<FileAccess, Ids>> = {
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
  // Identifiers from a table of the policy. Those that `techniques` does not name are removed at the end.
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
/** Sockets whose owner starts containers with any mounts. */
const containerSockets = /\/(?:docker|podman|containerd|crio)(?:\/[\w.-]+)?\.sock$/u;
/** Hosts where clouds hand out a machine's credentials: AWS, Azure, Google Cloud and others. */
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

/** The names at https://attack.mitre.org/techniques/enterprise/, by identifier. */
export const techniques = {
  'T1003.002': 'OS Credential Dumping: Security Account Manager',
  'T1003.004': 'OS Credential Dumping: LSA Secrets',
  T1005: 'Data from Local System',
  'T1021.001': 'Remote Services: Remote Desktop Protocol',
  T1027: 'Obfuscated Files or Information',
  'T1036.002': 'Masquerading: Right-to-Left Override',
  'T1037.001': 'Boot or Logon Initialization Scripts: Logon Script (Windows)',
  'T1053.005': 'Scheduled Task/Job: Scheduled Task',
  T1059: 'Command and Scripting Interpreter',
  T1070: 'Indicator Removal',
  T1071: 'Application Layer Protocol',
  'T1071.001': 'Application Layer Protocol: Web Protocols',
  'T1071.004': 'Application Layer Protocol: DNS',
  T1112: 'Modify Registry',
  T1137: 'Office Application Startup',
  'T1195.001': 'Supply Chain Compromise: Compromise Software Dependencies and Development Tools',
  'T1213.006': 'Data from Information Repositories: Databases',
  T1485: 'Data Destruction',
  T1489: 'Service Stop',
  T1528: 'Steal Application Access Token',
  'T1543.003': 'Create or Modify System Process: Windows Service',
  T1546: 'Event Triggered Execution',
  'T1546.001': 'Event Triggered Execution: Change Default File Association',
  'T1546.002': 'Event Triggered Execution: Screensaver',
  'T1546.007': 'Event Triggered Execution: Netsh Helper DLL',
  'T1546.009': 'Event Triggered Execution: AppCert DLLs',
  'T1546.010': 'Event Triggered Execution: AppInit DLLs',
  'T1546.011': 'Event Triggered Execution: Application Shimming',
  'T1546.012': 'Event Triggered Execution: Image File Execution Options Injection',
  'T1546.015': 'Event Triggered Execution: Component Object Model Hijacking',
  'T1547.001': 'Boot or Logon Autostart Execution: Registry Run Keys / Startup Folder',
  'T1547.002': 'Boot or Logon Autostart Execution: Authentication Package',
  'T1547.004': 'Boot or Logon Autostart Execution: Winlogon Helper DLL',
  'T1547.005': 'Boot or Logon Autostart Execution: Security Support Provider',
  'T1547.010': 'Boot or Logon Autostart Execution: Port Monitors',
  'T1547.012': 'Boot or Logon Autostart Execution: Print Processors',
  'T1547.014': 'Boot or Logon Autostart Execution: Active Setup',
  'T1548.002': 'Abuse Elevation Control Mechanism: Bypass User Account Control',
  'T1550.001': 'Use Alternate Authentication Material: Application Access Token',
  T1552: 'Unsecured Credentials',
  'T1552.001': 'Unsecured Credentials: Credentials In Files',
  'T1552.002': 'Unsecured Credentials: Credentials in Registry',
  'T1552.005': 'Unsecured Credentials: Cloud Instance Metadata API',
  'T1553.003': 'Subvert Trust Controls: SIP and Trust Provider Hijacking',
  'T1553.004': 'Subvert Trust Controls: Install Root Certificate',
  T1556: 'Modify Authentication Process',
  'T1556.008': 'Modify Authentication Process: Network Provider DLL',
  T1559: 'Inter-Process Communication',
  'T1562.001': 'Impair Defenses: Disable or Modify Tools',
  'T1562.002': 'Impair Defenses: Disable Windows Event Logging',
  'T1562.004': 'Impair Defenses: Disable or Modify System Firewall',
  'T1562.009': 'Impair Defenses: Safe Mode Boot',
  'T1565.001': 'Data Manipulation: Stored Data Manipulation',
  T1567: 'Exfiltration Over Web Service',
  'T1574.001': 'Hijack Execution Flow: DLL',
  'T1574.007': 'Hijack Execution Flow: Path Interception by PATH Environment Variable',
  'T1574.012': 'Hijack Execution Flow: COR_PROFILER',
  T1611: 'Escape to Host',
} as const;

export type TechniqueId = keyof typeof techniques;

export interface Technique {
  readonly id: TechniqueId;
  readonly name: string;
  readonly url: string;
}

function techniqueOf(id: TechniqueId): Technique {
  return { id, name: techniques[id], url: `https://attack.mitre.org/techniques/${id.replace('.', '/')}/` };
}
