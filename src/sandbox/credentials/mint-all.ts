import type { PhantomRegistry, SecretStore } from '../../credentials/index.ts';
import { withoutClaims } from '../../credentials/index.ts';
import { type Credential, groupOf } from '../../policy/index.ts';
import type { Deliverable } from './deliver.ts';

export interface MintContext {
  readonly registry: PhantomRegistry;
  readonly secrets: SecretStore;
}

export interface MintedAll {
  readonly minted: readonly Deliverable[];
  /** One line for each whose secret is missing. */
  readonly notices: readonly string[];
}

/** A phantom for each credential whose secret is there, or may be there: what only a program can tell is asked later. */
export async function mintAll(credentials: readonly Credential[], context: MintContext): Promise<MintedAll> {
  const minted: Deliverable[] = [];
  const notices = new Map<string, string>();
  for (const credential of credentials) {
    const outcome = await mintOne(credential, context);
    if (outcome.kind === 'minted') minted.push(outcome.deliverable);
    else notices.set(groupOf(credential), `there is no credential ${groupOf(credential)} in the box: ${outcome.message}; ${outcome.remedy}`);
  }
  return { minted, notices: [...notices.values()] };
}

type Minted = { readonly kind: 'minted'; readonly deliverable: Deliverable } | { readonly kind: 'missing'; readonly message: string; readonly remedy: string };

async function mintOne(credential: Credential, { registry, secrets }: MintContext): Promise<Minted> {
  const read = isAtHand(credential) ? await secrets.read(credential) : undefined;
  if (read?.kind === 'unavailable') return { kind: 'missing', message: read.message, remedy: read.remedy };
  const fields = read?.secret.fields ?? {};
  const secret = registry.mint(credential, likeness(credential, read?.secret.value));
  const phantom = (role: string): string => (role === 'secret' ? secret : registry.mintFor(credential, role, fields[role] ?? exampleOf(credential, role)));
  return { kind: 'minted', deliverable: { credential, phantom } };
}

/** Read without starting a program, and so without asking anybody for anything. */
function isAtHand({ source, injection }: Credential): boolean {
  return injection.kind !== 'oauth2-login' && (source.kind === 'env' || source.kind === 'file');
}

/** What a phantom has to look like. Of keys that are never sent, and of tokens that nobody has fetched yet, nothing is to be seen. */
function likeness({ injection, delivery }: Credential, secret: string | undefined): string | undefined {
  switch (injection.kind) {
    case 'github-app':
    case 'service-account':
    case 'oauth2-client':
    case 'oauth2-refresh':
    case 'oauth2-login':
      return undefined;
    default:
      return secret !== undefined && delivery.files.some(({ claims }) => claims === 'masked') ? (withoutClaims(secret) ?? secret) : secret;
  }
}

/** Source of the form: AWS IAM user guide, "IAM identifiers". */
const exampleAccessKey = 'AKIAIOSFODNN7EXAMPLE';

function exampleOf({ injection }: Credential, role: string): string {
  if (role !== 'accessKeyId') return 'x'.repeat(40);
  return injection.kind === 'sigv4' && injection.accessKeyId !== undefined ? injection.accessKeyId : exampleAccessKey;
}
