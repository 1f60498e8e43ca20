import type { HeldContent } from '../../egress/http/held-content.ts';
import { type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import { groupOf } from '../../policy/credentials/types.ts';
import { keyHeaders } from '../inject/basic.ts';
import { secretUnavailable } from '../inject/misuse.ts';
import { parametersOf, targetPath } from '../inject/target.ts';
import type { InjectionParts, Injector } from '../inject/types.ts';
import type { Secret } from '../types.ts';
import {
  type ClientSignature,
  queryNames,
  readPayload,
  readSignature,
  tolerance,
  unsignable,
  type Unsignable,
  uriDecode,
  useAnSdk,
} from './read-signature.ts';
import { type Keys, sign, type Signed, tokenHeader } from './sign.ts';

type Parts = InjectionParts<'sigv4'>;

/**
 * Header with the token of a directory bucket. Only CreateSession returns such a token, and its answers never reach a
 * box.
 */
const expressHeader = 'x-amz-s3session-token';

/**
 * Requests to AWS, which the box signs with a phantom access key. They are signed again with the real key and its
 * session token, for the same scope, time, payload hash and signed headers. The box's signature is not verified,
 * because Holdfast does not keep the phantom key. The phantom key ID proves that the request comes from the box.
 */
export const sigv4: Injector<'sigv4'> = {
  places: () => [
    { kind: 'header', key: 'authorization' },
    { kind: 'header', key: tokenHeader.toLowerCase() },
    { kind: 'query', parameter: queryNames.credential },
    { kind: 'query', parameter: tokenHeader },
  ],
  strips: () => [...keyHeaders, tokenHeader.toLowerCase(), expressHeader],
  inject: async (request, secret, parts) => {
    const signed = await signAgain(request, secret, parts);
    return signed.kind === 'unsignable' ? refusal(signed, parts) : signed.request;
  },
};

async function signAgain(request: OutgoingRequest, secret: Secret, parts: Parts): Promise<Signed | Unsignable> {
  const signature = readSignature(parts.asked);
  if (signature.kind === 'unsignable') return signature;
  const keys = keysOf(secret, parts);
  if (keys.kind === 'unsignable') return keys;
  const problem =
    phantomProblem(signature, parts) ?? scopeProblem(signature, parts) ?? timeProblem(signature, parts.context.now());
  if (problem !== undefined) return problem;
  const judged = await withoutHandOut(request, signature, parts.held);
  if (judged.kind === 'unsignable') return judged;
  // A server could reflect a session token that was made with a long-term key, in the same way as the key itself.
  if (keys.sessionToken !== undefined) parts.context.secrets.remember(groupOf(parts.credential), keys.sessionToken);
  return sign(judged.request, { signature, keys, scheme: parts.connection.scheme, held: parts.held });
}

function keysOf({ value, fields }: Secret, { credential }: Parts): Keys | Unsignable {
  const accessKeyId = credential.injection.accessKeyId ?? fields['accessKeyId'];
  if (accessKeyId === undefined)
    return unsignable(
      'its source returns no access key ID',
      'Give `access_key_id` in `inject`, or use a source that returns it.',
    );
  if (!/^\w{16,128}$/u.test(accessKeyId))
    return unsignable(
      'its access key ID does not have the form of AWS key IDs',
      'Correct it in the source or in `inject`.',
    );
  const sessionToken = fields['sessionToken'];
  return { kind: 'keys', accessKeyId, secretAccessKey: value, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/**
 * Attack: the attacker's own key in the scope, and a phantom in the session token. No other check would notice this.
 */
function phantomProblem({ accessKeyId }: ClientSignature, { credential, context }: Parts): Unsignable | undefined {
  const owner = context.registry.lookUp(accessKeyId);
  const isOurs = owner?.state === 'good' && owner.credential === groupOf(credential) && owner.role === 'accessKeyId';
  return isOurs
    ? undefined
    : unsignable("it is signed with a different access key than the box's", 'Use the access key in the box.');
}

function scopeProblem({ scope }: ClientSignature, { credential }: Parts): Unsignable | undefined {
  const { service, region } = credential.injection;
  if (service !== undefined && scope.service !== service)
    return unsignable(
      `its scope is not for the service ${service}`,
      'Use the credential for that service only, or change `service` in `inject`.',
    );
  return region !== undefined && scope.region !== region
    ? unsignable(
        `its scope is not for the region ${region}`,
        'Use the credential in that region only, or change `region` in `inject`.',
      )
    : undefined;
}

interface Judged {
  readonly kind: 'judged';
  readonly request: OutgoingRequest;
}

async function withoutHandOut(
  request: OutgoingRequest,
  { scope: { service } }: ClientSignature,
  held: HeldContent,
): Promise<Judged | Unsignable> {
  const read = isNamedInContent(service)
    ? await readPayload(request, held)
    : { kind: 'payload' as const, bytes: Buffer.alloc(0), request };
  if (read.kind === 'unsignable') return read;
  if (!handsOutCredentials(request, service, read.bytes)) return { kind: 'judged', request: read.request };
  return unsignable(
    'its answer would contain credentials that are valid outside the session',
    'Fetch them outside the box, and add a credential for them.',
  );
}

function refusal({ why, remedy }: Unsignable, { credential }: Parts): Refused {
  return secretUnavailable(credential.name, `cannot sign this request again: ${why}`, remedy);
}

/**
 * Returns why AWS would not accept the time of a signature now, or undefined. A request that is signed for a later day
 * could be sent after the session.
 */
function timeProblem({ time, scope, lifetime }: ClientSignature, now: number): Unsignable | undefined {
  const at = millisecondsOf(time);
  if (at === undefined) return unsignable('its time is malformed', useAnSdk);
  if (scope.date !== time.slice(0, 8)) return unsignable('its time is on another day than its scope', useAnSdk);
  if (at > now + tolerance)
    return unsignable('its time is more than fifteen minutes in the future', 'Set the clock right.');
  return now > at + lifetime
    ? unsignable('its signature has expired', 'Sign again; if it was signed just now, set the clock right.')
    : undefined;
}

function millisecondsOf(time: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(time);
  if (parts === null) return undefined;
  const at = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** The part of a request that names a service's operation. */
type OperationIn =
  /** `Action=` in the query or in a form. */
  | { readonly kind: 'action'; readonly among: 'these' | 'others'; readonly names: readonly string[] }
  /** The end of `X-Amz-Target`, or of the path in Smithy's RPC v2. */
  | { readonly kind: 'target'; readonly names: readonly string[] }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'path'; readonly pattern: RegExp };

/** CreateSession of directory buckets. */
const session: OperationIn = { kind: 'parameter', name: 'session' };

/**
 * Operations whose answers contain keys, tokens or passwords that are valid on their own. They would give a box exactly
 * the kind of secrets that phantoms keep from it. Source: the services' API references. Secrets Manager and Parameter
 * Store are not listed, because users choose their content.
 */
const givers: ReadonlyMap<string, readonly OperationIn[]> = new Map<string, readonly OperationIn[]>([
  // STS: only reading operations are allowed, because nearly all others return credentials.
  [
    'sts',
    [
      {
        kind: 'action',
        among: 'others',
        names: ['getcalleridentity', 'getaccesskeyinfo', 'decodeauthorizationmessage'],
      },
    ],
  ],
  [
    'iam',
    [
      {
        kind: 'action',
        among: 'these',
        names: ['createaccesskey', 'createservicespecificcredential', 'resetservicespecificcredential'],
      },
    ],
  ],
  ['sso-oauth', [{ kind: 'path', pattern: /^\/+token\/*$/u }]],
  ['redshift', [{ kind: 'action', among: 'these', names: ['getclustercredentials', 'getclustercredentialswithiam'] }]],
  ['redshift-serverless', [{ kind: 'target', names: ['getcredentials'] }]],
  [
    'cognito-identity',
    [{ kind: 'target', names: ['getcredentialsforidentity', 'getopenidtoken', 'getopenidtokenfordeveloperidentity'] }],
  ],
  ['ecr', [{ kind: 'target', names: ['getauthorizationtoken'] }]],
  ['ecr-public', [{ kind: 'target', names: ['getauthorizationtoken'] }]],
  ['elasticmapreduce', [{ kind: 'target', names: ['getclustersessioncredentials'] }]],
  ['gamelift', [{ kind: 'target', names: ['getcomputeauthtoken', 'requestuploadcredentials'] }]],
  ['codeartifact', [{ kind: 'path', pattern: /^\/+v1\/+authorization-token\/*$/u }]],
  ['lakeformation', [{ kind: 'path', pattern: /^\/+(?:gettemporary\w+|assumedecoratedrolewithsaml)\/*$/u }]],
  ['datazone', [{ kind: 'path', pattern: /^\/+v2\/+domains\/+[^/]+\/+environments\/+[^/]+\/+credentials\/*$/u }]],
  ['s3express', [session]],
  // GetDataAccess of S3 Access Grants.
  ['s3', [session, { kind: 'path', pattern: /^\/+v20180820\/+accessgrantsinstance\/+dataaccess\/*$/u }]],
]);

/** Returns true if the content of a request can also name its operation. */
function isNamedInContent(service: string): boolean {
  return givers.get(service)?.some(({ kind }) => kind === 'action') ?? false;
}

/**
 * Returns true if the answer to a request would contain credentials that are valid on their own. `content` is empty if
 * it was not read.
 */
function handsOutCredentials(request: OutgoingRequest, service: string, content: Buffer): boolean {
  return givers.get(service)?.some((operation) => isAskedFor(operation, request, content)) ?? false;
}

function isAskedFor(operation: OperationIn, { fields, target }: OutgoingRequest, content: Buffer): boolean {
  switch (operation.kind) {
    case 'action': {
      const actions = [...parametersOf(target), ...parametersOf(`?${content.toString('latin1')}`)].flatMap(
        ({ name, text }) => (name.toLowerCase() === 'action' ? [valueIn(text)] : []),
      );
      const { among, names } = operation;
      // Content that cannot be parsed may name any operation.
      if (actions.length === 0 || fieldValue(fields, 'content-encoding') !== undefined) return true;
      // A service may also accept the operation in the form of its other protocols.
      const all = [...actions, ...targetsIn(fields, target)];
      return among === 'these' ? all.some((name) => names.includes(name)) : !all.every((name) => names.includes(name));
    }
    case 'target':
      return [...targetsIn(fields, target), ...plainPath(target).split('/')].some((name) =>
        operation.names.includes(name),
      );
    case 'parameter':
      return parametersOf(target).some(({ name }) => name === operation.name);
    case 'path':
      return operation.pattern.test(plainPath(target));
  }
}

/** Returns the operation of `X-Amz-Target`, and that of a path in Smithy's RPC v2. */
function targetsIn(fields: OutgoingRequest['fields'], target: string): readonly string[] {
  const named = fields.flatMap(({ key, value }) => (key === 'x-amz-target' ? [lastWord(value)] : []));
  const [, inPath] = /\/operation\/+([^/]*)/u.exec(plainPath(target)) ?? [];
  return inPath === undefined ? named : [...named, inPath];
}

function lastWord(text: string): string {
  return /(?<!\w)\w*$/u.exec(text.trim())?.[0].toLowerCase() ?? '';
}

/** Decodes escapes, and escapes of escapes too. */
function plainPath(target: string): string {
  return uriDecode(uriDecode(targetPath(target))).toLowerCase();
}

function valueIn(text: string): string {
  return uriDecode(text.slice(text.indexOf('=') + 1).replaceAll('+', ' '))
    .trim()
    .toLowerCase();
}
