/** The names of https://attack.mitre.org/techniques/enterprise/, each under its identifier. */
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

export function techniqueOf(id: TechniqueId): Technique {
  return { id, name: techniques[id], url: `https://attack.mitre.org/techniques/${id.replace('.', '/')}/` };
}
