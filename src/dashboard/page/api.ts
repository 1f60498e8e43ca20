import type { Failure } from '../wire.ts';

/** What the server said instead of an answer. */
export class ApiError extends Error {
  readonly failure: Failure;
  readonly status: number;

  constructor(failure: Failure, status: number) {
    super(failure.message);
    this.failure = failure;
    this.status = status;
  }
}

const keyName = 'holdfast-key';
const gone: Failure = {
  code: '',
  message: 'The dashboard does not answer.',
  remedy: 'It ends with its terminal: start `holdfast dashboard` again.',
};

/**
 * Exchanges the token of the link for a pass, once, and takes it out of the address. Gives whether this page has a
 * pass, maybe from before a reload.
 */
export async function enter(): Promise<boolean> {
  const token = /^#([0-9a-f]{64})$/u.exec(location.hash)?.[1];
  if (token === undefined) return sessionStorage.getItem(keyName) !== null;
  history.replaceState(null, '', '/');
  const { key } = await post<{ readonly key: string }>('/enter', { token });
  sessionStorage.setItem(keyName, key);
  return true;
}

export async function get<T>(path: string): Promise<T> {
  return (await (await request(path, {})).json()) as T;
}

export async function post<T>(path: string, body: object): Promise<T> {
  return (await (
    await request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  ).json()) as T;
}

/** Throws `ApiError`. */
export async function request(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(keyName, sessionStorage.getItem(keyName) ?? '');
  const answer = await fetch(`/api${path}`, { ...init, headers, credentials: 'same-origin', redirect: 'error' }).catch(
    (error: unknown) => {
      throw init.signal?.aborted === true ? error : new ApiError(gone, 0);
    },
  );
  if (!answer.ok)
    throw new ApiError(((await answer.json().catch(() => undefined)) as Failure | undefined) ?? gone, answer.status);
  return answer;
}
