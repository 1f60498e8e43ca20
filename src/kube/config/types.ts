import type { KubeconfigExec } from './schema.ts';

/** The settings of a client for one API server and one user. They contain secrets, and are never printed. */
export interface ClusterAccess {
  /** Name of the context in the kubeconfig. */
  readonly context: string;
  readonly server: URL;
  /** Namespace of the context. */
  readonly namespace: string;
  readonly tls: ClusterTls;
  readonly credential: ClusterCredential;
}

export interface ClusterTls {
  /** PEM. Absent: the authorities of Node. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
}

export type ClusterCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'token-file'; readonly file: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'program'; readonly program: KubeconfigExec };

/** Places of a kubeconfig, and owners from whom it is not accepted. */
export interface KubeconfigPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  /** Named by the user. Default: `KUBECONFIG`, then `~/.kube/config`. */
  readonly file?: string;
  /** Default: the current context of the file. */
  readonly context?: string;
  /** Real paths that boxes can write: workspaces. */
  readonly writableRoots: readonly string[];
}
