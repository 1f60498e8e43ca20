/** A part of the Windows registry, with everything beneath, that is denied until it is released. */
export interface RegistryKey {
  /** A pattern as in a policy; `*` and `?` stay within one component. */
  readonly key: string;
  /** `changes`: reads are allowed if a policy grants them. */
  readonly denies: 'changes' | 'everything';
  readonly reason: string;
  /** Identifiers of MITRE ATT&CK, the most telling first. `src/audit/techniques/table.ts` has their names. */
  readonly techniques: readonly [string, ...string[]];
}

function changes(
  reason: string,
  techniques: RegistryKey['techniques'],
  keys: readonly string[],
): readonly RegistryKey[] {
  return keys.map((key) => ({ key, denies: 'changes', reason, techniques }));
}

function everything(
  reason: string,
  techniques: RegistryKey['techniques'],
  keys: readonly string[],
): readonly RegistryKey[] {
  return keys.map((key) => ({ key, denies: 'everything', reason, techniques }));
}

const raw = String.raw;
const machine = (path: string): string => `HKLM\\${path}`;
const user = (path: string): string => `HKCU\\${path}`;
const both = (path: string): readonly string[] => [machine(path), user(path)];
const currentVersion = raw`Software\Microsoft\Windows\CurrentVersion`;
const currentNt = raw`Software\Microsoft\Windows NT\CurrentVersion`;
const control = raw`HKLM\SYSTEM\CurrentControlSet\Control`;

/**
 * Keys by which a program persists, gains privileges, hides or reads credentials. Source: the pages of the techniques
 * at https://attack.mitre.org/techniques/enterprise/. Each key has one spelling; other names of the same key match it.
 * The first match gives the reason, so an inner key comes before the key around it.
 */
export const registryKeys: readonly RegistryKey[] = [
  ...changes(
    'programs named there are started when someone logs on',
    ['T1547.001'],
    [
      ...both(raw`${currentVersion}\Run*`),
      ...both(raw`${currentVersion}\Policies\Explorer\Run`),
      ...both(raw`${currentVersion}\Explorer\Shell Folders`),
      ...both(raw`${currentVersion}\Explorer\User Shell Folders`),
      user(raw`${currentNt}\Windows`),
      machine(
        raw`Software\Microsoft\Windows NT\CurrentVersion\Terminal Server\Install\Software\Microsoft\Windows\CurrentVersion\Run*`,
      ),
    ],
  ),
  ...changes(
    'libraries and programs named there are loaded at every logon',
    ['T1547.004'],
    both(raw`${currentNt}\Winlogon`),
  ),
  ...changes(
    'programs named there are started once for every user',
    ['T1547.014'],
    both(raw`Software\Microsoft\Active Setup\Installed Components`),
  ),
  ...changes(
    'logon scripts, profilers and the search path of programs are variables',
    ['T1037.001', 'T1574.012', 'T1574.007'],
    ['HKCU\\Environment', raw`${control}\Session Manager\Environment`],
  ),
  ...changes(
    'a program named there runs instead of another, or when one ends',
    ['T1546.012'],
    [...both(raw`${currentNt}\Image File Execution Options`), machine(raw`${currentNt}\SilentProcessExit`)],
  ),
  ...changes(
    'libraries named there are loaded into every program with a window',
    ['T1546.010'],
    [machine(raw`${currentNt}\Windows`)],
  ),
  ...changes(
    'libraries named there are loaded into every program that starts another',
    ['T1546.009'],
    [raw`${control}\Session Manager\AppCertDlls`],
  ),
  ...changes(
    'patches named there are loaded into the programs they are for',
    ['T1546.011'],
    [machine(raw`${currentNt}\AppCompatFlags\Custom`), machine(raw`${currentNt}\AppCompatFlags\InstalledSDB`)],
  ),
  ...changes('libraries named there are loaded by netsh', ['T1546.007'], [machine(raw`Software\Microsoft\NetSh`)]),
  ...changes(
    'a screen saver is a program',
    ['T1546.002'],
    [user(raw`Control Panel\Desktop`), user(raw`Software\Policies\Microsoft\Windows\Control Panel\Desktop`)],
  ),
  ...changes(
    'a component named there is loaded in place of one of the system',
    ['T1546.015'],
    [
      ...both(raw`Software\Classes\CLSID`),
      ...both(raw`Software\Classes\TypeLib`),
      ...both(raw`Software\Classes\Interface`),
      ...both(raw`Software\Classes\AppID`),
      ...both(raw`Software\Microsoft\Ole`),
    ],
  ),
  ...changes(
    'services and drivers run as the system',
    ['T1543.003'],
    [machine(raw`SYSTEM\CurrentControlSet\Services`), machine(raw`${currentNt}\Svchost`)],
  ),
  ...changes('scheduled tasks run later, as anybody', ['T1053.005'], [machine(raw`${currentNt}\Schedule`)]),
  ...changes(
    'libraries named there are loaded by the print spooler',
    ['T1547.010', 'T1547.012'],
    [raw`${control}\Print`],
  ),
  ...changes(
    'libraries named there see every password',
    ['T1547.005', 'T1547.002', 'T1556'],
    [raw`${control}\Lsa`, raw`${control}\LsaExtensionConfig`, raw`${control}\SecurityProviders`],
  ),
  ...changes(
    'libraries named there see every logon',
    ['T1556.008', 'T1556'],
    [raw`${control}\NetworkProvider`, machine(raw`${currentVersion}\Authentication`)],
  ),
  ...changes(
    'libraries of these names are loaded from the system alone',
    ['T1574.001'],
    [raw`${control}\Session Manager\KnownDLLs`],
  ),
  ...changes(
    'it says which defences run',
    ['T1562.001'],
    [
      machine(raw`Software\Microsoft\Windows Defender`),
      machine(raw`Software\Microsoft\Windows Defender Security Center`),
      ...both(raw`Software\Policies\Microsoft\Windows Defender`),
      machine(raw`Software\Microsoft\AMSI`),
      user(raw`Software\Microsoft\Windows Script`),
      ...both(raw`Software\Policies\Microsoft\Windows\PowerShell`),
      raw`${control}\CI`,
      raw`${control}\DeviceGuard`,
    ],
  ),
  ...changes(
    'it configures logging',
    ['T1562.002'],
    [
      raw`${control}\WMI\Autologger`,
      machine(raw`${currentVersion}\WINEVT`),
      machine(raw`Software\Policies\Microsoft\Windows\EventLog`),
    ],
  ),
  ...changes('it configures the firewall', ['T1562.004'], [machine(raw`Software\Policies\Microsoft\WindowsFirewall`)]),
  ...changes(
    'it lists the programs of safe mode, where defences do not run',
    ['T1562.009'],
    [raw`${control}\SafeBoot`],
  ),
  ...changes(
    'it says when a program may rise to administrator without a question',
    ['T1548.002'],
    both(raw`${currentVersion}\Policies\System`),
  ),
  ...changes(
    'certificates there are believed by every program',
    ['T1553.004'],
    [
      ...both(raw`Software\Microsoft\SystemCertificates`),
      ...both(raw`Software\Policies\Microsoft\SystemCertificates`),
      machine(raw`Software\Microsoft\EnterpriseCertificates`),
    ],
  ),
  ...changes(
    'libraries named there say whether a signature is good',
    ['T1553.003'],
    [machine(raw`Software\Microsoft\Cryptography\OID`), machine(raw`Software\Microsoft\Cryptography\Providers`)],
  ),
  ...changes(
    'libraries and templates named there are loaded by office programs',
    ['T1137'],
    both(raw`Software\Microsoft\Office`),
  ),
  ...changes('it says whether others may log on from elsewhere', ['T1021.001'], [raw`${control}\Terminal Server`]),
  ...changes(
    'a program named there runs whenever a file of that kind is opened',
    ['T1546.001', 'T1548.002'],
    [
      ...both(raw`Software\Classes\*\shell`),
      ...both(raw`Software\Classes\*\shellex`),
      ...both(raw`Software\Classes\.*`),
      ...both(raw`Software\Classes\SystemFileAssociations`),
      ...both(raw`${currentVersion}\Explorer\FileExts`),
      ...both(raw`${currentVersion}\Explorer\Browser Helper Objects`),
      ...both(raw`${currentVersion}\Explorer\ShellIconOverlayIdentifiers`),
      ...both(raw`${currentVersion}\Explorer\ShellExecuteHooks`),
      ...both(raw`${currentVersion}\Shell Extensions`),
      ...both(raw`Software\Microsoft\Command Processor`),
      ...both(raw`${currentVersion}\App Paths`),
    ],
  ),
  ...changes(
    'programs named there are started before anybody logs on',
    ['T1547.001'],
    [raw`${control}\Session Manager`],
  ),
  ...everything('it holds the passwords of this machine', ['T1003.002', 'T1003.004'], ['HKLM\\SAM', 'HKLM\\SECURITY']),
  ...everything(
    'programs keep passwords and keys there',
    ['T1552.002'],
    [
      user(raw`Software\SimonTatham\PuTTY\Sessions`),
      user(raw`Software\OpenSSH\Agent\Keys`),
      user(raw`Software\Martin Prikryl\WinSCP 2\Sessions`),
      user(raw`Software\ORL\WinVNC3`),
    ],
  ),
];
