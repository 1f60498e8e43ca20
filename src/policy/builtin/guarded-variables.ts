import { loadsCode } from '../../shell/loads-code.ts';

/**
 * Whether a wildcard must not pass the variable: it makes programs load code, or looks like a secret. A secret passes
 * if a policy names it exactly.
 */
export function isGuardedVariable(name: string): boolean {
  return loadsCode(name) || looksSecret.test(name) || secretNames.has(name);
}

const looksSecret =
  /(?:^|_)(?:TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASS|PASSPHRASE|CREDENTIAL|CREDENTIALS|APIKEY|KEY|PRIVATE|AUTH|COOKIE|DSN|SIGNATURE|JWT|PAT)(?:_|$)/i;

/** Variables with secrets, or with access to other programs, that have ordinary names. */
const secretNames: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DB_URL',
  'POSTGRES_URL',
  'POSTGRESQL_URL',
  'MYSQL_URL',
  'REDIS_URL',
  'MONGODB_URI',
  'MONGODB_URL',
  'MONGO_URL',
  'AMQP_URL',
  'RABBITMQ_URL',
  'CELERY_BROKER_URL',
  'AZURE_STORAGE_CONNECTION_STRING',
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'UV_INDEX_URL',
  'UV_EXTRA_INDEX_URL',
  'KUBECONFIG',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XAUTHORITY',
  'NETRC',
  'PGPASSFILE',
  'PGSERVICEFILE',
  'VAULT_ADDR',
  'OP_SESSION',
]);
