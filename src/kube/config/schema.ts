import * as v from 'valibot';

const text = v.optional(v.string());
const list = <Entry extends v.GenericSchema>(entry: Entry) => v.nullish(v.array(entry), []);

const clusterSchema = v.object({
  server: v.string(),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': v.optional(v.boolean()),
  'tls-server-name': text,
  'proxy-url': text,
});

const execSchema = v.object({
  apiVersion: v.string(),
  command: v.string(),
  args: list(v.string()),
  env: list(v.object({ name: v.string(), value: v.string() })),
  interactiveMode: text,
  provideClusterInfo: v.optional(v.boolean()),
});

const userSchema = v.object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  username: text,
  password: text,
  as: text,
  exec: v.nullish(execSchema),
  'auth-provider': v.optional(v.unknown()),
});

/** The parts of a kubeconfig that this client reads. It ignores other keys, as `kubectl` does. */
export const kubeconfigSchema = v.object({
  'current-context': text,
  clusters: list(v.object({ name: v.string(), cluster: clusterSchema })),
  contexts: list(
    v.object({
      name: v.string(),
      context: v.object({ cluster: v.string(), user: text, namespace: text }),
    }),
  ),
  users: list(v.object({ name: v.string(), user: v.nullish(userSchema, {}) })),
});

export type Kubeconfig = v.InferOutput<typeof kubeconfigSchema>;
export type KubeconfigCluster = v.InferOutput<typeof clusterSchema>;
export type KubeconfigUser = v.InferOutput<typeof userSchema>;
export type KubeconfigExec = v.InferOutput<typeof execSchema>;
