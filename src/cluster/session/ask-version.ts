import { isHoldfastError } from '../../errors/index.ts';
import { agentSandboxVersions, callIfThere, groupVersionsIn } from '../../kube/index.ts';
import type { ClusterConnection } from './connection.ts';

/** Returns the versions of agent-sandbox that an API server offers. Undefined without agent-sandbox. */
export async function sandboxVersions({ target }: ClusterConnection): Promise<readonly string[] | undefined> {
  const call = { method: 'GET', path: '/apis/agents.x-k8s.io', doing: 'tell the versions of agent-sandbox' } as const;
  const group = await callIfThere(call, target);
  return group === undefined ? undefined : groupVersionsIn(group);
}

/**
 * Returns the connection with the newest version that both sides know. A user without permission to ask keeps the
 * oldest.
 */
export async function withVersion(connection: ClusterConnection): Promise<ClusterConnection> {
  const { target } = connection;
  try {
    const offered = (await sandboxVersions(connection)) ?? [];
    const agentSandbox = agentSandboxVersions.find((version) => offered.includes(version)) ?? target.agentSandbox;
    return { ...connection, target: { ...target, agentSandbox } };
  } catch (error) {
    if (isHoldfastError(error) && error.details['status'] === 403) return connection;
    throw error;
  }
}
