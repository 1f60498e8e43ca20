import { type Credential, describeSource } from '../../policy/index.ts';
import { listSecrets } from '../../sandbox/credentials/secrets/user-secrets.ts';
import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { secretsPlace } from './secrets-place.ts';

interface Row {
  readonly name: string;
  readonly provider?: string;
  readonly hosts: readonly string[];
  /** In words. */
  readonly source: string;
  readonly use: Credential['use'];
  readonly file: string;
  readonly line: number;
}

/** `holdfast secrets list`: one line for each credential. */
export function listSecretsCommand(input: CommandInput): number {
  const rows = listSecrets(secretsPlace(input)).map(rowOf);
  input.io.stdout.write(isSet(input.values['json']) ? jsonText(rows) : safeText(tableOf(rows)));
  return 0;
}

function rowOf({ name, provider, binding, source, use, origin }: Credential): Row {
  return { name, ...(provider === undefined ? {} : { provider }), hosts: binding.hosts.map((host) => host.source), source: describeSource(source), use, file: origin.file, line: origin.line };
}

function tableOf(rows: readonly Row[]): string {
  if (rows.length === 0) return 'no policy that holds here has credentials: see `holdfast secrets add --help`\n';
  const cells = rows.map(({ name, provider, hosts, use, source }) => [name, provider ?? hosts.join(' '), use, source]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`).join('');
}
