import { envQuery } from '../kinds/env.ts';
import { fileQuery } from '../kinds/file.ts';
import { connectQuery, dnsQuery, httpQuery } from '../kinds/host.ts';
import { registryQuery } from '../kinds/registry.ts';
import { socketQuery } from '../kinds/socket.ts';
import { toolQuery } from '../kinds/tool.ts';
import { trustQuery } from '../kinds/trust.ts';
import type { PolicyRequest } from '../request.ts';

/** Whether any rule could be asked about it. What no rule matches anyway is no example of what one must not match. */
export function isRepresentable(request: PolicyRequest): boolean {
  return queryOf(request) !== undefined;
}

function queryOf(request: PolicyRequest): object | undefined {
  switch (request.kind) {
    case 'file':
      return fileQuery(request);
    case 'connect':
      return connectQuery(request);
    case 'http':
      return httpQuery(request);
    case 'dns':
      return dnsQuery(request);
    case 'socket':
      return socketQuery(request);
    case 'env':
      return envQuery(request);
    case 'tool':
      return toolQuery(request);
    case 'trust':
      return trustQuery(request);
    case 'registry':
      return registryQuery(request);
    case 'exec':
    case 'signal':
      return request;
  }
}
