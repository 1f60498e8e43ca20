/**
 * The kube room: a small client of the Kubernetes API. It reads the user's kubeconfig, sends requests, follows watches
 * and carries the streams of commands in pods.
 *
 * It knows no policy, no manifest and no workspace. Bytes of a cluster are hostile: it keeps a bounded number of them,
 * and every wait has an end.
 */
export { backoff, groupVersionsIn, listIn, kubeObjectIn, callFor, callIfThere, callOnce } from './api/call.ts';
export { objectIn, refusalError, kubeRefusal } from './api/failures.ts';
export { bodyOf, sendCall } from './api/send-call.ts';
export {
  agentSandboxVersions,
  type AgentSandboxVersion,
  apiVersionOf,
  isKubeKind,
  type KubeKind,
  type OfferedVersions,
  pathOf,
  rbacRule,
} from './api/resources.ts';
export { type KubeCall, type KubeObject, type KubeTarget, type Patience, usualPatience } from './api/types.ts';
export { ServerClock } from './api/server-clock.ts';
export { watchUntil } from './api/watch.ts';
export { proverOf } from './config/credential-headers.ts';
export { readKubeconfig } from './config/read-kubeconfig.ts';
export type { ClusterAccess } from './config/types.ts';
export type { RemoteEnd } from './streams/channels.ts';
export { forwardConnection, type ForwardedEnd } from './streams/forward-connection.ts';
export { openStream, type RemoteStream } from './streams/remote-stream.ts';
