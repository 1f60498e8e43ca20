import { HoldfastError } from '../errors/index.ts';
import { readPlace } from '../place/place.ts';
import { policyOfPlace } from '../place/planner.ts';
import { decide } from '../policy/decide.ts';
import { mcpOf } from '../policy/mcp/mcp-of.ts';
import type { McpSettings } from '../policy/mcp/types.ts';
import type { Policy } from '../policy/policy.ts';
import { startBox, type RunningBox } from '../session/running-box.ts';
import type { SessionOptions } from '../session/session-options.ts';
import { admitCommand, openSession, planBox, type Session } from '../session/session.ts';
import { capabilitiesOf, type Capabilities } from './ceilings.ts';

export interface ServerBoxOptions extends Omit<SessionOptions, 'staged' | 'layers' | 'credentials'> {
  /** Name of the server in rules and pins. */
  readonly name: string;
  /** Command that starts the server. */
  readonly argv: readonly string[];
}

/** An MCP server in its own box, with pipes as its streams. */
export interface ServerBox {
  readonly name: string;
  readonly session: Session;
  /** Policy of the session, including the server's ceiling. */
  readonly policy: Policy;
  readonly settings: McpSettings;
  readonly capabilities: Capabilities;
  readonly running: RunningBox;
  /** `readable`: the server can read the workspace, and starts in it. */
  readonly workspace: 'readable' | 'hidden';
}

const namePattern = /^[a-zA-Z][\w.-]{0,63}$/u;

/**
 * Starts a server with the grants that its entry of `[[mcp.servers]]` and its flags declare, as far as the policy
 * allows them. It gets nothing else of the workspace, the home, the network and the environment. Throws `HF_USAGE` for
 * a name that rules could not distinguish, and the errors of `openSession` and of a refused command.
 */
export async function startServerBox({ name, argv, ...options }: ServerBoxOptions): Promise<ServerBox> {
  if (!namePattern.test(name))
    throw new HoldfastError('HF_USAGE', `${JSON.stringify(name)} is not a name of a server`, {
      remedy: 'give --name with a letter and then letters, digits, dots, hyphens and underscores, 64 at most',
    });
  const place = readPlace(options);
  const settings = mcpOf(policyOfPlace(place));
  const capabilities = capabilitiesOf({
    servers: settings.servers,
    name,
    grants: place.grants,
    visible: place.installation.visible,
  });
  const session = await openSession({ ...options, layers: capabilities.layers, credentials: capabilities.credentials });
  try {
    const policy = policyOfPlace(session.place);
    const { root, cwd } = session.place.workspace;
    const workspace =
      decide(policy, { kind: 'file', operation: 'read', path: root }).decision === 'allow' ? 'readable' : 'hidden';
    const plan = planBox(session, await admitCommand(session, { argv, cwd: workspace === 'readable' ? cwd : '/' }));
    return {
      name,
      session,
      policy,
      settings,
      capabilities,
      workspace,
      running: startBox(session, plan, { stdio: ['pipe', 'pipe', 'pipe'], stderr: 'direct' }),
    };
  } catch (error) {
    await closeServerSession(session);
    throw error;
  }
}

/** Call this after the server's box has ended. */
export async function closeServerSession(session: Session): Promise<void> {
  session.approvals.close();
  await session.network.close();
  session.credentials?.close();
}
