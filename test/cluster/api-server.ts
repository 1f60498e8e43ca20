import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClaimController } from './claim-controller.ts';
import { FakeForwards } from './fake-forwards.ts';
import { FakeNode } from './fake-node.ts';
import { FakeStreams } from './fake-streams.ts';
import { type Place, placeOf, verbOf } from './request-place.ts';
import { matches, ObjectStore, type StoredObject } from './object-store.ts';

/** The fault of the next matching requests. */
export interface Fault {
  /** `GET /api/v1/…`, without its query. */
  readonly on: RegExp;
  readonly act:
    | 'cut'
    | 'stall'
    | 'cut-after-write'
    | 'watch-forgotten'
    | 'lie'
    | { readonly status: number; readonly retryAfter?: string };
  /** The number of requests that the fault affects. Default: 1. */
  times?: number;
}

export interface ApiServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
}

/**
 * A Kubernetes API server for the tests. It implements the API's documentation for the client's calls: lists and
 * watches with resourceVersion, bookmarks and 410; 409 for names; 429 with Retry-After; dry runs. It also has `Status`
 * objects, preconditions of deletes, and the controllers of agent-sandbox. exec and attach use v5.channel.k8s.io, and
 * portforward v4.channel.k8s.io. The server enforces nothing and proves nothing about a cluster.
 */
export class ApiServer {
  readonly store = new ObjectStore();
  readonly node = new FakeNode(this.store);
  readonly streams = new FakeStreams(this.node, this.store);
  readonly forwards = new FakeForwards();
  readonly controller = new ClaimController(this.store, this.node);
  readonly faults: Fault[] = [];
  /** `create pods` or `get pods/exec`. */
  readonly denied = new Set<string>();
  /** Each request, as `GET /api/v1/…`. */
  readonly seen: string[] = [];
  /** Bearer tokens that it accepts. */
  readonly tokens = new Set(['good-token']);
  /** Called for each request: returns a fault, or undefined for none. */
  chance: (line: string) => Fault['act'] | undefined = () => undefined;
  podSecurity: 'privileged' | 'restricted' = 'privileged';
  agentSandbox: readonly string[] = ['v1alpha1'];
  runtimeClasses: readonly string[] = ['kata'];
  minor = '34';
  /** In place of the time. */
  date: string | undefined;
  readonly #sockets = new Set<Duplex>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start({ tls }: ApiServerOptions = {}): Promise<ApiServer> {
    const server = tls === undefined ? createHttp() : createHttps(tls);
    const api = new ApiServer(server);
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Duplex) => api.#sockets.add(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void api.#serve(request, response));
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      api.#upgrade(request, socket, head),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return api;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  [Symbol.dispose](): void {
    this.controller[Symbol.dispose]();
    this.node[Symbol.dispose]();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** A kubeconfig for this server. */
  kubeconfig(change: { readonly cluster?: object; readonly user?: object; readonly server?: string } = {}): string {
    const server = change.server ?? `http://127.0.0.1:${this.port}`;
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'here', cluster: { server, ...change.cluster } }],
      contexts: [{ name: 'test', context: { cluster: 'here', user: 'me', namespace: 'agents' } }],
      users: [{ name: 'me', user: change.user ?? {} }],
    });
  }

  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://server');
    const line = `${request.method} ${url.pathname}`;
    this.seen.push(line);
    response.setHeader('date', this.date ?? new Date(Date.now() + this.controller.clockAhead).toUTCString());
    const fault = this.#faultOf(line, url);
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'stall') return;
    if (fault === 'lie') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>');
    if (typeof fault === 'object') {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
      return this.#refuse(response, fault.status, 'busy');
    }
    const body = await readBody(request);
    if (fault === 'cut-after-write')
      response.end = ((): ServerResponse => (request.socket.destroy(), response)) as typeof response.end;
    this.#answer({ request, response, url, body, forgotten: fault === 'watch-forgotten' });
  }

  #faultOf(line: string, { searchParams }: URL): Fault['act'] | undefined {
    const watch = searchParams.get('watch') === '1' ? ' watch' : '';
    const fault = this.faults.find(({ on, times = 1 }) => times > 0 && on.test(`${line}${watch}`));
    if (fault === undefined) return this.chance(line);
    fault.times = (fault.times ?? 1) - 1;
    return fault.act;
  }

  #answer({ request, response, url, body, forgotten }: Answering): void {
    const { method = 'GET' } = request;
    if (!this.#knows(request)) return this.#refuse(response, 401, 'Unauthorized');
    const fixed = this.#fixed(url.pathname, body);
    if (fixed !== undefined) return json(response, 200, fixed);
    const place = placeOf(url.pathname);
    if (place === undefined || this.#isUnknown(url.pathname))
      return this.#refuse(response, 404, 'the server could not find the requested resource');
    const verb = verbOf(method, place, url);
    const resource = place.subresource === undefined ? place.plural : `${place.plural}/${place.subresource}`;
    if (this.denied.has(`${verb} ${resource}`)) return this.#forbid(response, verb, { ...place, plural: resource });
    if (place.subresource === 'log') return this.#logs(response, place);
    if (verb === 'list') return this.#list(response, place, url);
    if (verb === 'watch') return this.#watch(response, place, { url, forgotten });
    if (verb === 'create') return this.#create(response, place, { url, object: body as StoredObject });
    const object = this.store.get(place.plural, place.namespace, place.name ?? '');
    if (object === undefined) return this.#refuse(response, 404, `${place.plural} "${place.name}" not found`);
    if (verb === 'get') return json(response, 200, object);
    if (verb === 'delete') return this.#delete(response, place, { object, body });
    json(response, 200, this.store.change(place.plural, object, merged(object, body)));
  }

  #knows({ headers: { authorization }, socket }: IncomingMessage): boolean {
    if (!('encrypted' in socket)) return true;
    return this.tokens.has((authorization ?? '').replace('Bearer ', ''));
  }

  #isUnknown(path: string): boolean {
    return path.includes('agents.x-k8s.io/') && !this.agentSandbox.some((version) => path.includes(`/${version}/`));
  }

  #fixed(path: string, body: unknown): object | undefined {
    if (path === '/version') return { major: '1', minor: this.minor, gitVersion: `v1.${this.minor}.0` };
    if (path === '/apis/agents.x-k8s.io' && this.agentSandbox.length > 0)
      return { kind: 'APIGroup', name: 'agents.x-k8s.io', versions: this.agentSandbox.map((version) => ({ version })) };
    if (path === '/apis/node.k8s.io/v1/runtimeclasses')
      return {
        kind: 'RuntimeClassList',
        metadata: {},
        items: this.runtimeClasses.map((name) => ({ metadata: { name } })),
      };
    if (path === '/api/v1/namespaces/agents')
      return {
        kind: 'Namespace',
        metadata: { name: 'agents', labels: { 'pod-security.kubernetes.io/enforce': this.podSecurity } },
      };
    if (path !== '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews') return undefined;
    const { verb, resource, subresource } = (body as AccessReview).spec.resourceAttributes;
    const asked = `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
    return { kind: 'SelfSubjectAccessReview', metadata: { name: '' }, status: { allowed: !this.denied.has(asked) } };
  }

  #forbid(response: ServerResponse, verb: string, { plural, group, namespace }: Place): void {
    const where = `in API group "${group}" in the namespace "${namespace}"`;
    this.#refuse(response, 403, `${plural} is forbidden: User "me" cannot ${verb} resource "${plural}" ${where}`);
  }

  #refuse(response: ServerResponse, code: number, message: string): void {
    json(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code });
  }

  #list(response: ServerResponse, { plural, namespace }: Place, url: URL): void {
    const items = this.store.list(plural, namespace).filter((object) => isSelected(object, url));
    json(response, 200, { kind: 'List', metadata: { resourceVersion: String(this.store.version) }, items });
  }

  #watch(response: ServerResponse, { plural, namespace }: Place, { url, forgotten }: Watching): void {
    const { searchParams } = url;
    const write = (type: string, object: object): void => void response.write(`${JSON.stringify({ type, object })}\n`);
    response.writeHead(200, { 'content-type': 'application/json' });
    const gone = (): void => {
      write('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' });
      response.end();
    };
    if (forgotten) return gone();
    const stop = this.store.follow(Number(searchParams.get('resourceVersion')), (event) => {
      const { object } = event;
      const isMatch = isSelected(object, url) && event.plural === plural && object.metadata.namespace === namespace;
      if (isMatch) write(event.type, object);
      else write('BOOKMARK', { kind: 'Pod', metadata: { resourceVersion: String(event.version) } });
    });
    if (stop === 'forgotten') return gone();
    const over = setTimeout(() => response.end(), Number(searchParams.get('timeoutSeconds') ?? '60') * 1000);
    response.once('close', () => {
      clearTimeout(over);
      stop();
    });
    response.flushHeaders();
  }

  #create(response: ServerResponse, { plural, namespace }: Place, { url, object }: Creating): void {
    const { name } = object.metadata;
    if (plural === 'pods' && this.podSecurity === 'restricted')
      return this.#refuse(
        response,
        403,
        `pods "${name}" is forbidden: violates PodSecurity "restricted:latest": seccompProfile (pod or container "command" must set securityContext.seccompProfile.type to "RuntimeDefault")`,
      );
    if (this.store.get(plural, namespace, name) !== undefined)
      return this.#refuse(response, 409, `${plural} "${name}" already exists`);
    if (url.searchParams.get('dryRun') === 'All')
      return json(response, 201, { ...object, metadata: { ...object.metadata, uid: 'dry' } });
    const made = this.store.create(plural, namespace, object);
    json(response, 201, made);
    if (plural === 'pods') this.node.schedule(made);
  }

  #delete(response: ServerResponse, { plural }: Place, { object, body }: Deleting): void {
    const wanted = (body as { readonly preconditions?: { readonly uid?: string } } | undefined)?.preconditions?.uid;
    if (wanted !== undefined && wanted !== object.metadata.uid)
      return this.#refuse(response, 409, `the UID in the precondition (${wanted}) does not match`);
    json(response, 200, object);
    this.controller.delete(plural, object);
  }

  #logs(response: ServerResponse, { namespace, name = '' }: Place): void {
    const object = this.store.get('pods', namespace, name);
    const pod = this.node.pods.get(object?.metadata.uid ?? '');
    if (pod === undefined) return this.#refuse(response, 404, `pods "${name}" not found`);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.concat(pod.output));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://server');
    const line = `GET ${url.pathname}`;
    this.seen.push(line);
    const fault = this.#faultOf(line, url);
    if (fault === 'cut') return void socket.destroy();
    if (fault === 'stall') return;
    if (typeof fault === 'object') return void socket.end(`HTTP/1.1 ${fault.status} Busy\r\ncontent-length: 0\r\n\r\n`);
    const place = placeOf(url.pathname);
    if (place === undefined || !this.#knows(request))
      return void socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
    const resource = `${place.plural}/${place.subresource}`;
    // Newer servers ask for `create`.
    const verb = ['get', 'create'].find((each) => this.denied.has(`${each} ${resource}`));
    if (verb === undefined && place.subresource === 'portforward')
      return this.forwards.open(request, socket, { head, url });
    if (verb === undefined) return this.streams.open(request, socket, { head, url, place });
    const message = `pods "${place.name}" is forbidden: User "me" cannot ${verb} resource "${resource}" in API group "" in the namespace "${place.namespace}"`;
    const status = JSON.stringify({ kind: 'Status', status: 'Failure', message, code: 403 });
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${status.length}\r\n\r\n${status}`,
    );
  }
}

interface Answering {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: unknown;
  readonly forgotten: boolean;
}
type Watching = Pick<Answering, 'url' | 'forgotten'>;
interface Creating {
  readonly url: URL;
  readonly object: StoredObject;
}
interface Deleting {
  readonly object: StoredObject;
  readonly body: unknown;
}
interface AccessReview {
  readonly spec: {
    readonly resourceAttributes: { readonly verb: string; readonly resource: string; readonly subresource?: string };
  };
}

/** Applies RFC 7386 to the client's patch. */
function merged(object: StoredObject, body: unknown): Partial<StoredObject> {
  const { metadata = {}, spec = {} } = body as { readonly metadata?: object; readonly spec?: object };
  return {
    metadata: mergedPart(object.metadata, metadata) as StoredObject['metadata'],
    spec: mergedPart(object.spec ?? {}, spec),
  };
}

function mergedPart(old: object, change: object): Record<string, unknown> {
  const next: Record<string, unknown> = { ...old };
  for (const [key, value] of Object.entries(change)) {
    const isPart = typeof value === 'object' && value !== null && !Array.isArray(value);
    next[key] = isPart ? mergedPart((next[key] ?? {}) as object, value as object) : value;
  }
  return next;
}

/** Filters a list or a watch: by labels, and by the name of one object. */
function isSelected(object: StoredObject, { searchParams }: URL): boolean {
  const field = searchParams.get('fieldSelector') ?? '';
  if (field !== '' && field !== `metadata.name=${object.metadata.name}`) return false;
  return matches(object, searchParams.get('labelSelector') ?? '');
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
