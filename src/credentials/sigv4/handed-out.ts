import { type OutgoingRequest, valueOf } from '../../egress/index.ts';
import { parametersOf, pathOf } from '../inject/target.ts';
import { uriDecode } from './encode.ts';

/** How a request to a service says which operation it wants. */
type OperationIn =
  /** `Action=` in the query or in a form. */
  | { readonly kind: 'action'; readonly among: 'these' | 'others'; readonly names: readonly string[] }
  /** The end of `X-Amz-Target`, or of the path as Smithy's RPC v2 has it. */
  | { readonly kind: 'target'; readonly names: readonly string[] }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'path'; readonly pattern: RegExp };

/** CreateSession of directory buckets. */
const session: OperationIn = { kind: 'parameter', name: 'session' };

/**
 * Operations whose answers hold keys, tokens or passwords that are good by themselves: with them a box would have what
 * the phantom is there to keep from it. Source: the services' API references. Secrets Manager and Parameter Store are not
 * among them: what they hold is what somebody put there.
 */
const givers: ReadonlyMap<string, readonly OperationIn[]> = new Map<string, readonly OperationIn[]>([
  // Of STS only what tells, because nearly everything else is made to hand out credentials.
  ['sts', [{ kind: 'action', among: 'others', names: ['getcalleridentity', 'getaccesskeyinfo', 'decodeauthorizationmessage'] }]],
  ['iam', [{ kind: 'action', among: 'these', names: ['createaccesskey', 'createservicespecificcredential', 'resetservicespecificcredential'] }]],
  ['sso-oauth', [{ kind: 'path', pattern: /^\/+token\/*$/u }]],
  ['redshift', [{ kind: 'action', among: 'these', names: ['getclustercredentials', 'getclustercredentialswithiam'] }]],
  ['redshift-serverless', [{ kind: 'target', names: ['getcredentials'] }]],
  ['cognito-identity', [{ kind: 'target', names: ['getcredentialsforidentity', 'getopenidtoken', 'getopenidtokenfordeveloperidentity'] }]],
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

/** Whether the operation of a request stands in its content as well as in its head. */
export function isNamedInContent(service: string): boolean {
  return givers.get(service)?.some(({ kind }) => kind === 'action') ?? false;
}

/** Whether the answer to a request would hold credentials that are good by themselves. `content` is empty where it was not read. */
export function handsOutCredentials(request: OutgoingRequest, service: string, content: Buffer): boolean {
  return givers.get(service)?.some((operation) => isAskedFor(operation, request, content)) ?? false;
}

function isAskedFor(operation: OperationIn, { fields, target }: OutgoingRequest, content: Buffer): boolean {
  switch (operation.kind) {
    case 'action': {
      const actions = [...parametersOf(target), ...parametersOf(`?${content.toString('latin1')}`)].flatMap(({ name, text }) => (name.toLowerCase() === 'action' ? [valueIn(text)] : []));
      const { among, names } = operation;
      // What cannot be read here may say anything.
      if (actions.length === 0 || valueOf(fields, 'content-encoding') !== undefined) return true;
      return among === 'these' ? actions.some((action) => names.includes(action)) : !actions.every((action) => names.includes(action));
    }
    case 'target': {
      const asked = fields.flatMap(({ key, value }) => (key === 'x-amz-target' ? [value.slice(value.lastIndexOf('.') + 1)] : []));
      return [...asked, ...plainPath(target).split('/')].some((name) => operation.names.includes(name.toLowerCase()));
    }
    case 'parameter':
      return parametersOf(target).some(({ name }) => name === operation.name);
    case 'path':
      return operation.pattern.test(plainPath(target));
  }
}

function plainPath(target: string): string {
  return uriDecode(pathOf(target)).toLowerCase();
}

function valueIn(text: string): string {
  return uriDecode(text.slice(text.indexOf('=') + 1).replaceAll('+', ' ')).trim().toLowerCase();
}
