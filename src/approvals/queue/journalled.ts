import { createHash } from 'node:crypto';
import type { PolicyRequest } from '../../policy/index.ts';
import type { Subject } from '../types.ts';
import type { ApprovalEvent } from './options.ts';

type Requested = Extract<ApprovalEvent, { readonly type: 'approval.requested' }>;

/** Of a verdict what the journal keeps. */
export function journalledVerdict({
  decision,
  code,
  rule,
  layer,
  file,
  line,
  message,
  remedy,
}: Subject['verdict']): Requested['verdict'] {
  return { decision, code, rule, layer, file, line, message, remedy };
}

/**
 * Arguments of a tool may hold what somebody's files and letters say: the journal can tell two calls apart and no more.
 */
export function journalledRequest<Request extends PolicyRequest>(request: Request): Request {
  return request.kind === 'tool'
    ? { ...request, arguments: `sha256:${createHash('sha256').update(request.arguments).digest('hex')}` }
    : request;
}
