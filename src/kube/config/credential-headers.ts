import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { findProgram, programEnvironment } from '../../credentials/sources/ask-program.ts';
import { runProgram } from '../../credentials/sources/run-program.ts';
import { kubeconfigError } from './kubeconfig-error.ts';
import type { KubeconfigExec } from './schema.ts';
import type { ClusterAccess, ClusterTls } from './types.ts';

/** The user's credentials for the API server. */
export interface UserProof {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: ClusterTls;
}

/** Proofs of one user. A program is asked once, and again after its answer expired or was refused. */
export interface Prover {
  prove(): Promise<UserProof>;
  /** The API server refused a proof. Returns whether another may be tried. */
  forget(refused: UserProof): Promise<'may-differ' | 'the-same'>;
}

export interface ProverOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly writableRoots: readonly string[];
}

export function proverOf(access: ClusterAccess, options: ProverOptions): Prover {
  const { credential, tls } = access;
  const fixed = (headers: UserProof['headers']): Prover => ({
    prove: () => Promise.resolve({ headers, tls }),
    forget: () => Promise.resolve('the-same'),
  });
  switch (credential.kind) {
    case 'none':
      return fixed({});
    case 'token':
      return fixed(bearer(credential.token));
    case 'basic':
      return fixed({
        authorization: `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`,
      });
    case 'token-file':
      // A cluster renews such files, so each request reads its file again.
      return {
        prove: () => Promise.resolve({ headers: bearer(readToken(credential.file)), tls }),
        forget: () => Promise.resolve('the-same'),
      };
    case 'program':
      return programProver(credential.program, access, options);
  }
}

function bearer(token: string): UserProof['headers'] {
  if (!/^[\x21-\x7e]+$/u.test(token))
    throw kubeconfigError('the token of the kubeconfig is empty or no text of one line', 'write a new token');
  return { authorization: `Bearer ${token}` };
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw kubeconfigError(
      `${file} cannot be read: ${(cause as NodeJS.ErrnoException).code}`,
      'make it a file that you can read',
      cause,
    );
  }
}

function programProver(program: KubeconfigExec, access: ClusterAccess, options: ProverOptions): Prover {
  let kept: Kept | undefined;
  const ask = (): Kept => {
    const mine: Kept = { until: Infinity, answer: askPlugin(program, access, options) };
    mine.answer.then(
      ({ until }) => (mine.until = until),
      () => (mine.until = 0),
    );
    return mine;
  };
  return {
    async prove() {
      kept = kept !== undefined && Date.now() < kept.until ? kept : ask();
      return (await kept.answer).proof;
    },
    // Parallel requests share one answer, and only the first refusal of it counts.
    async forget(refused) {
      const current = await kept?.answer.catch(() => undefined);
      if (current?.proof === refused) kept = undefined;
      return 'may-differ';
    },
  };
}

interface Answer {
  readonly proof: UserProof;
  readonly until: number;
}

interface Kept {
  until: number;
  readonly answer: Promise<Answer>;
}

const answerSchema = v.object({
  kind: v.literal('ExecCredential'),
  apiVersion: v.string(),
  status: v.object({
    expirationTimestamp: v.nullish(v.string()),
    token: v.optional(v.string()),
    clientCertificateData: v.optional(v.string()),
    clientKeyData: v.optional(v.string()),
  }),
});

const versions: readonly string[] = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const askedFor = 60_000;

async function askPlugin(
  program: KubeconfigExec,
  { tls, server }: ClusterAccess,
  options: ProverOptions,
): Promise<Answer> {
  if (!versions.includes(program.apiVersion))
    throw kubeconfigError(
      `the exec plugin ${JSON.stringify(program.command)} speaks ${JSON.stringify(program.apiVersion)}`,
      `use one that speaks ${versions[0]}`,
    );
  const found = findProgram(program.command, options);
  if (found.kind !== 'found') throw kubeconfigError(`${found.why} (exec plugin of the kubeconfig)`, found.remedy);
  const asked = {
    apiVersion: program.apiVersion,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(program.provideClusterInfo === true
        ? {
            cluster: {
              server: server.href,
              ...(tls.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(tls.ca).toString('base64') }),
            },
          }
        : {}),
    },
  };
  const end = await runProgram({
    path: found.path,
    words: program.args ?? [],
    environment: {
      ...programEnvironment(program.command, options),
      ...Object.fromEntries((program.env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(asked),
    },
    timeout: askedFor,
    signal: new AbortController().signal,
  });
  if (end.kind !== 'output')
    throw kubeconfigError(
      `the exec plugin ${JSON.stringify(program.command)} gave no credential (${end.kind})`,
      'run it by itself, and log in with it',
    );
  return proofOf(end.text, program, tls);
}

function proofOf(text: string, { command }: KubeconfigExec, tls: ClusterTls): Answer {
  const parsed = v.safeParse(answerSchema, json(text));
  if (!parsed.success)
    throw kubeconfigError(
      `the exec plugin ${JSON.stringify(command)} answered with no ExecCredential`,
      'run it by itself, and read its output',
    );
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = parsed.output.status;
  const expires = expirationTimestamp == null ? Number.NaN : Date.parse(expirationTimestamp);
  return {
    proof: {
      headers: token === undefined ? {} : bearer(token),
      tls: cert === undefined || key === undefined ? tls : { ...tls, cert, key },
    },
    until: Number.isNaN(expires) ? Infinity : expires,
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
