import type { GuaranteeName } from '../guarantees.ts';
import { everyBox } from '../settings/levels.ts';

/** The source of these statements in `holdfast policy show`. */
export const strictFile = 'strict';

/** The guarantees that a strict box needs from the kernel. */
export const strictGuarantees = [
  ...everyBox,
  'fs.stage',
  'net.closed',
  'net.names',
  'limits.processes',
] as const satisfies readonly GuaranteeName[];

/**
 * Common names of secrets that are also names of harmless files, so ordinary boxes may read them. Leaves out `*.pem`,
 * because every certificate bundle has that name.
 */
const secretNames = [
  '*.env',
  '*.key',
  '*.jks',
  '*.kdbx',
  '*.keystore',
  '*.ppk',
  '*.kubeconfig',
  'kubeconfig',
  'service-account*.json',
  'secrets.json',
  'secrets.toml',
  'secrets.yaml',
  'secrets.yml',
  'credentials.json',
  'credentials.toml',
  'credentials.yaml',
  'credentials.yml',
  'vault_pass',
  'vault_pass.txt',
  'vault_password',
  'vault_password.txt',
  'appsettings.Production.json',
  'appsettings.Staging.json',
  '.token',
  'token.txt',
  'mnemonic.txt',
].map((name) => `**/${name}`);

/**
 * The layer that `strict = true` adds. It is an ordinary policy file that only restricts. So `holdfast policy show`
 * prints it, and no other file loosens it.
 *
 * - Few builds need 256 threads, 4 GiB of files or 10 minutes of one processor. Shells usually allow as many open
 *   files.
 * - A wildcard never passes a variable that looks like a secret: credentials enter as phantoms only.
 * - Limits of memory and processors are not required, because not every host lets a user make control groups. Nothing
 *   bounds the disk of a workspace; staged writes have `staged`.
 */
export const strictText = `version = 1

[environment]
pass = ["*"]

[network]
dns = "fake"
watch = "every-host"
inspect = "every-host"

[process]
ptrace = "deny"

[files]
new_protected = "refuse"
deny = ${JSON.stringify(secretNames)}

[sockets]
later = "refuse"

[limits]
memory = "50%"
processes = 256
cpu_time = "10m"
open_files = 4096
file_size = "1GiB"
tmp = "512MiB"
staged = "4GiB"

[require]
guarantees = ${JSON.stringify(strictGuarantees)}
`;
