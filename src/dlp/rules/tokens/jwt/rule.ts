import { endOf } from '../../lib/at.ts';
import { alphanumeric } from '../../lib/characters.ts';
import { startsFree } from '../../lib/boundaries.ts';
import type { Rule } from '../../types.ts';

/** A signed token has three parts, an encrypted one five, of which the second is empty where a key was agreed on. */
const header = /eyJ[\w-]{10,2000}\./uy;
const signed = /[\w-]{2,8000}\.[\w-]{20,1500}/uy;
const encrypted = /[\w-]{0,1500}\.[\w-]{8,64}\.[\w-]{1,8000}\.[\w-]{16,64}/uy;

/** A token whose header is JSON and names an algorithm. Unsigned ones (`none`) prove nothing and are no secret. */
export const jwt: Rule = {
  name: 'json-web-token',
  leads: [[...'eyJ', alphanumeric]],
  match(text, at) {
    if (!startsFree(text, at)) return undefined;
    const behindHeader = endOf(header, text, at);
    if (behindHeader === undefined) return undefined;
    const end = endOf(encrypted, text, behindHeader) ?? endOf(signed, text, behindHeader);
    return end !== undefined && namesAlgorithm(text.slice(at, behindHeader - 1)) ? { start: at, end } : undefined;
  },
  sources: ['https://www.rfc-editor.org/rfc/rfc7515#section-4.1.1', 'https://www.rfc-editor.org/rfc/rfc7516#section-3.1'],
};

function namesAlgorithm(header: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    return typeof value === 'object' && value !== null && 'alg' in value && typeof value.alg === 'string' && value.alg !== 'none';
  } catch {
    return false;
  }
}
