import { basicValue } from '../../inject/basic.ts';
import { type Denied, type Granted, readTokenAnswer } from '../read-token-answer.ts';
import type { TokenClient } from '../types.ts';

export interface ClientIdentity {
  readonly id: string;
  /** Absent: a public client. */
  readonly secret?: string;
}

export interface TokenForm {
  readonly url: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** Absent: the parameters say who asks. */
  readonly identity?: ClientIdentity;
}

/**
 * Asks a token endpoint. A client with a secret says it in `Authorization`, which every server has to take (RFC 6749
 * §2.3.1); the servers that do not are asked once more with the secret in the form.
 */
export async function requestToken({ url, parameters, identity }: TokenForm, client: TokenClient): Promise<Granted | Denied> {
  if (identity?.secret === undefined) return ask({ url, parameters: { ...parameters, client_id: identity?.id } }, {}, client);
  const answer = await ask({ url, parameters }, { authorization: basicValue(formEncoded(identity.id), formEncoded(identity.secret)) }, client);
  if (answer.kind === 'granted' || answer.error !== 'invalid_client') return answer;
  return ask({ url, parameters: { ...parameters, client_id: identity.id, client_secret: identity.secret } }, {}, client);
}

async function ask({ url, parameters }: TokenForm, headers: Readonly<Record<string, string>>, client: TokenClient): Promise<Granted | Denied> {
  const form = new URLSearchParams(Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])));
  const answer = await client.fetch(url, { method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: form.toString() });
  return answer.kind === 'unavailable' ? answer : readTokenAnswer(answer);
}

/** RFC 6749, appendix B: both halves of `Basic` are encoded as in a form. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
