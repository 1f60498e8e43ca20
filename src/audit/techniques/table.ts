/** The names of https://attack.mitre.org/techniques/enterprise/, each under its identifier. */
export const techniques = {
  'T1005': 'Data from Local System',
  'T1027': 'Obfuscated Files or Information',
  'T1036.002': 'Masquerading: Right-to-Left Override',
  'T1059': 'Command and Scripting Interpreter',
  'T1070': 'Indicator Removal',
  'T1071': 'Application Layer Protocol',
  'T1071.001': 'Application Layer Protocol: Web Protocols',
  'T1071.004': 'Application Layer Protocol: DNS',
  'T1112': 'Modify Registry',
  'T1195.001': 'Supply Chain Compromise: Compromise Software Dependencies and Development Tools',
  'T1213.006': 'Data from Information Repositories: Databases',
  'T1485': 'Data Destruction',
  'T1489': 'Service Stop',
  'T1528': 'Steal Application Access Token',
  'T1546': 'Event Triggered Execution',
  'T1550.001': 'Use Alternate Authentication Material: Application Access Token',
  'T1552': 'Unsecured Credentials',
  'T1552.001': 'Unsecured Credentials: Credentials In Files',
  'T1552.005': 'Unsecured Credentials: Cloud Instance Metadata API',
  'T1559': 'Inter-Process Communication',
  'T1562.001': 'Impair Defenses: Disable or Modify Tools',
  'T1565.001': 'Data Manipulation: Stored Data Manipulation',
  'T1567': 'Exfiltration Over Web Service',
  'T1574.007': 'Hijack Execution Flow: Path Interception by PATH Environment Variable',
  'T1611': 'Escape to Host',
} as const;

export type TechniqueId = keyof typeof techniques;

export interface Technique {
  readonly id: TechniqueId;
  readonly name: string;
  readonly url: string;
}

export function techniqueOf(id: TechniqueId): Technique {
  return { id, name: techniques[id], url: `https://attack.mitre.org/techniques/${id.replace('.', '/')}/` };
}
