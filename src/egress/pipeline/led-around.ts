import type { Destination, EgressRefusal } from '../types.ts';
import type { PipelineContext } from './context.ts';

/**
 * Refuses a redirect past what looks into requests. Undefined if it leads past nothing.
 *
 * Attack: a project redirects an uninspected host to one whose requests are decided or inspected, such as a server of
 * models with a budget. Bytes passed on unchanged would bypass all of that.
 */
export function refuseAround(
  from: Destination,
  leads: Destination,
  context: PipelineContext,
): EgressRefusal | undefined {
  if (leads.host === from.host && leads.port === from.port) return undefined;
  const isSpokenFor = context.routes.has(leads.host) || context.broker(leads) !== undefined;
  if (!isSpokenFor && context.authority.tlsTreatment(leads) !== 'intercept') return undefined;
  const to = `${leads.host}:${leads.port}`;
  return {
    code: 'policy',
    message: `a rule leads ${from.host}:${from.port} to ${to}, where requests are looked into, and on this way they would not be`,
    remedy: `connect to ${to} itself, or drop the redirect`,
  };
}
