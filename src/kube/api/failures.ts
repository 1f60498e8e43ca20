import { HoldfastError } from '../../errors/index.ts';
import type { KubeCall, KubeTarget } from './types.ts';

/** An unsuccessful answer. */
export interface KubeRefusal {
  readonly status: number;
  /** From the `Status` object in the answer. Empty without one. */
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly { readonly reason: string; readonly message: string }[];
}

const longestMessage = 600;

/** Reads a `Status` object. Missing fields are empty. */
export function kubeRefusal(status: number, body: string): KubeRefusal {
  const value = objectIn(body);
  const { causes } = objectFields(value['details']);
  return {
    status,
    reason: textOf(value['reason']),
    message: textOf(value['message']),
    causes: Array.isArray(causes)
      ? causes
          .map(objectFields)
          .map((cause) => ({ reason: textOf(cause['reason']), message: textOf(cause['message']) }))
      : [],
  };
}

export function objectIn(body: string): Readonly<Record<string, unknown>> {
  try {
    return objectFields(JSON.parse(body));
  } catch {
    return {};
  }
}

/** A server may send anything: a value that is not an object has no fields. */
export function objectFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value).slice(0, longestMessage) : '';
}

/** Shortens an error to one line, with any message of the server. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** The missing rule of RBAC, in the API server's words. */
const forbidden =
  /cannot (?<verb>[\w-]+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]+)")?/u;
const podSecurity = /violates PodSecurity "(?<level>[a-z]+):[^"]*": (?<what>.*)/u;

export function refusalError(
  refusal: KubeRefusal,
  { doing }: Pick<KubeCall, 'doing'>,
  target: KubeTarget,
): HoldfastError {
  const { status, message } = refusal;
  const details = { status, reason: refusal.reason };
  const fail = (why: string, remedy: string): HoldfastError =>
    new HoldfastError('HF_CLUSTER_REFUSED', `the cluster did not ${doing}: ${why}`, { remedy, details });
  switch (status) {
    case 401:
      return fail(
        `it does not accept the credentials of the context ${JSON.stringify(target.access.context)}`,
        'log in again, or name another context with --context',
      );
    case 403:
      return forbiddenError(message, fail);
    case 404:
      return fail(message === '' ? 'there is no such thing' : message, 'see `holdfast cluster list`');
    case 409:
      return fail(message === '' ? 'something else has that name' : message, 'use another --name');
    case 429:
      return fail('it has too many requests, and still had after a minute', 'try again later');
    default:
      return fail(
        message === '' ? `it answered ${status}` : message,
        status >= 500 ? 'try again later, or look at the API server' : 'see `holdfast cluster doctor`',
      );
  }
}

function forbiddenError(message: string, fail: (why: string, remedy: string) => HoldfastError): HoldfastError {
  const security = podSecurity.exec(message)?.groups;
  if (security !== undefined)
    return fail(
      `its namespace enforces the Pod Security Standard "${security['level']}": ${security['what']}`,
      'use --namespace with a namespace that enforces "privileged", because the launcher needs these fields',
    );
  const rule = forbidden.exec(message)?.groups;
  if (rule === undefined)
    return fail(message === '' ? 'it is forbidden' : message, 'ask its administrators for the right');
  const resource = rule['group'] === '' ? rule['resource'] : `${rule['resource']}.${rule['group']}`;
  const where = rule['namespace'] === undefined ? '' : ` in the namespace ${JSON.stringify(rule['namespace'])}`;
  return fail(
    `this user may not ${rule['verb']} ${resource}${where}`,
    `ask for a role with the verb "${rule['verb']}" on "${resource}"${where}`,
  );
}

const certificateCodes =
  /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_SSL|ERR_TLS|HOSTNAME_MISMATCH|INVALID_CA)/u;

/** A connection that failed, was cut or brought no answer. */
export function connectionError(cause: unknown, { doing }: Pick<KubeCall, 'doing'>, target: KubeTarget): HoldfastError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const { origin } = target.access.server;
  if (certificateCodes.test(code) || /certificate|TLS/u.test(message))
    return new HoldfastError(
      'HF_CLUSTER_UNREACHABLE',
      `the certificate of the API server ${origin} is not one that the kubeconfig trusts: ${code === '' ? oneLine(message) : code}`,
      { remedy: 'correct certificate-authority in the kubeconfig; nothing was sent', cause },
    );
  return new HoldfastError(
    'HF_CLUSTER_UNREACHABLE',
    `the API server ${origin} could not ${doing}: ${code === '' ? oneLine(message) : code}`,
    { remedy: 'see whether the server of the kubeconfig is right and can be reached', cause },
  );
}
