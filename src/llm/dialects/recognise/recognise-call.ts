import type { DialectName, ModelCall } from '../../types.ts';
import { matchesHost } from './match-host.ts';
import { normalPath } from './normal-path.ts';
import { routeByEnding, routeByMethod, routeByModelPath } from './routes.ts';
import type { Route } from './routes.ts';
import type { ModelServer, ServerStyle } from './types.ts';
import { isUncounted } from './uncounted.ts';

export interface SeenRequest {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** As it stands in the request line, with its query. */
  readonly path: string;
}

/**
 * What a request at a server of models is; undefined where no server of the list is meant. The first server that fits holds. Decided by
 * host and path alone. A path that is not known is `other`; one that some server might read as a call is that call.
 */
export function recogniseCall(request: SeenRequest, servers: readonly ModelServer[]): ModelCall | undefined {
  const segments = normalPath(request.path);
  const server = servers.find((one) => isAt(one, request, segments));
  if (server === undefined) return undefined;
  const found = routeByModelPath(segments) ?? routeByMethod(segments) ?? routeByEnding(segments);
  const route = found === undefined || !isCall(request.method, found) ? { dialect: mainDialects[server.style], operation: 'other' as const } : found;
  const cost = isUncounted(segments, { provider: server.provider, method: request.method, route: found }) ? ({ cost: 'untold' } as const) : {};
  return { provider: server.provider, ...route, ...cost, ...(server.streamUsage === undefined ? {} : { streamUsage: server.streamUsage }) };
}

const mainDialects: Readonly<Record<ServerStyle, DialectName>> = {
  anthropic: 'anthropic-messages', openai: 'openai-responses', azure: 'openai-chat', gemini: 'gemini', vertex: 'gemini', bedrock: 'bedrock-converse', openrouter: 'openai-chat', ollama: 'ollama-chat',
};

function isAt(server: ModelServer, { host, port }: SeenRequest, segments: readonly string[]): boolean {
  if (server.ports !== undefined && !server.ports.includes(port)) return false;
  const base = normalPath(server.basePath ?? '');
  return server.hosts.some((pattern) => matchesHost(host, pattern)) && base.every((segment, index) => segment.toLowerCase() === segments[index]?.toLowerCase());
}

/** Reading and deleting ask no model. But a WebSocket for Responses begins with GET, and Google's servers take the method from a header. */
function isCall(method: string, { dialect }: Route): boolean {
  if (!/^(?:get|head|options|delete)$/iu.test(method.trim())) return true;
  return /^get$/iu.test(method.trim()) && (dialect === 'openai-responses' || dialect === 'gemini');
}
