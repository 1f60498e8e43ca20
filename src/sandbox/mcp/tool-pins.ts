import { join } from 'node:path';
import { appendEvents } from '../../audit/index.ts';
import { decide, type TrustRequest } from '../../policy/index.ts';
import { changePins, type Definition, readPins, type ServerPins } from '../../trust/index.ts';
import { compileWildcard, matchesWildcard } from '../../policy/patterns/wildcard.ts';
import type { ServerBox } from './server-box.ts';
import { definitionLines, foreignReference, listedKeys, toolDefinition, type ToolListing } from './tool-definition.ts';

/** Why a tool of a server does not exist for the agent. `undeclared` and `invalid` ones nobody is asked about. */
export type Withheld = 'new' | 'changed' | 'shadowing' | 'undeclared' | 'invalid';

export interface SettledTool {
  readonly tool: ToolListing;
  readonly definition: Definition;
  readonly state: 'admitted' | Withheld;
  /** In words, for a person. */
  readonly why: string;
}

/** Of the protocol's own advice for names: anything else could be no name that a model gives back as it is. */
const usableName = /^[\w./-]{1,128}$/u;
/** Characters of a definition: what is longer nobody could look at. */
const longestDefinition = 60_000;

/** What was approved of the tools of one server. Approval is of a hash: the text that was hashed is what the agent gets. */
export class ToolPins {
  readonly #server: ServerBox;

  constructor(server: ServerBox) {
    this.#server = server;
  }

  /** Which of these tools exist for the agent. Those of a server that was never seen are kept where the policy says `first-use`. Throws `HF_TRUST_INVALID` and `HF_STATE_UNWRITABLE`. */
  settle(tools: readonly ToolListing[]): readonly SettledTool[] {
    let settled: readonly SettledTool[] = [];
    changePins(this.#directory, this.#server.name, (all) => {
      settled = tools.map((tool) => this.#settleOne(tool, all));
      if (this.#own(all).some(({ tool }) => tool !== instructionsName) || this.#server.settings.pin === 'ask') return [];
      const taken = settled.filter(({ state }) => state === 'new').map(({ definition }) => definition);
      this.#journalApproval(taken);
      settled = settled.map((each) => (each.state === 'new' ? { ...each, state: 'admitted' } : each));
      return taken;
    });
    return settled;
  }

  /** The same for what the server tells the model when it begins; a server that says nothing has said that. */
  settleInstructions(text: string): SettledTool {
    const tool: ToolListing = { name: instructionsName, description: text };
    const definition = toolDefinition(tool);
    let settled: SettledTool = { tool, definition, state: 'admitted', why: 'it was approved' };
    changePins(this.#directory, this.#server.name, (all) => {
      const own = this.#own(all);
      if (own.some(({ sha256 }) => sha256 === definition.sha256)) return [];
      if (own.length === 0 && this.#server.settings.pin === 'first-use') return [definition];
      settled = { ...settled, ...(own.some(isInstructions) ? { state: 'changed', why: 'it is not what was approved' } : { state: 'new', why: 'nobody has approved it' }) };
      return [];
    });
    return settled;
  }

  /** Asks somebody, unless a rule about trust says it already. Gives why not, or nothing. */
  async approve({ definition, state, why }: SettledTool, signal?: AbortSignal): Promise<string | undefined> {
    if (state === 'undeclared' || state === 'invalid') return why;
    const { name, policy, session } = this.#server;
    const request: TrustRequest = { kind: 'trust', path: join(this.#directory, name, encodeURIComponent(definition.tool)), sha256: definition.sha256 };
    const verdict = decide(policy, request);
    const before = readPins(this.#directory).find(({ server }) => server === name)?.definitions.findLast(({ tool }) => tool === definition.tool);
    const details = [`${isInstructions(definition) ? 'what the MCP server' : `the tool ${definition.tool} of the MCP server`} ${name}${isInstructions(definition) ? ' tells the model when it begins' : ''}: ${why}`, ...definitionLines(before, definition)];
    switch (verdict.decision) {
      case 'allow':
      case 'audit':
        break;
      case 'deny':
      case 'stage':
      case 'redirect':
        return verdict.message;
      case 'ask': {
        const outcome = await session.approvals.ask({ request, verdict: { ...verdict, message: verdict.message, remedy: verdict.remedy }, details, ...(signal === undefined ? {} : { signal }) });
        if (outcome.kind === 'denied') return outcome.message;
      }
    }
    changePins(this.#directory, name, () => {
      this.#journalApproval([definition]);
      return [definition];
    });
    return undefined;
  }

  #own(all: readonly ServerPins[]): readonly Definition[] {
    return all.find(({ server }) => server === this.#server.name)?.definitions ?? [];
  }

  get #directory(): string {
    return this.#server.session.place.paths.mcp;
  }

  #settleOne(tool: ToolListing, all: readonly ServerPins[]): SettledTool {
    const { name: server, capabilities } = this.#server;
    const definition = toolDefinition(tool);
    const own = this.#own(all).filter((each) => each.tool === tool.name);
    const other = all.find((each) => each.server !== server && each.definitions.some((found) => sameName(found.tool, tool.name)));
    const settled = (state: SettledTool['state'], why: string): SettledTool => ({ tool, definition, state, why });
    if (!usableName.test(tool.name)) return settled('invalid', 'its name is none that a model could give back as it is');
    if (definition.text.length > longestDefinition) return settled('invalid', `its definition has more than ${longestDefinition} characters`);
    if (foreignReference(listedKeys(tool)) !== undefined) return settled('invalid', 'its schema refers to another document, which a client would fetch');
    if (capabilities.tools.some((patterns) => !patterns.some((pattern) => matchesWildcard(compileWildcard(pattern), tool.name)))) return settled('undeclared', 'the policy does not name it among the tools of this server');
    if (own.some(({ sha256 }) => sha256 === definition.sha256)) return settled('admitted', 'it was approved');
    if (own.length > 0) return settled('changed', 'it is not what was approved');
    if (other !== undefined) return settled('shadowing', `the server ${other.server} has a tool of this name`);
    return settled('new', 'nobody has approved it');
  }

  #journalApproval(definitions: readonly Definition[]): void {
    if (definitions.length === 0) return;
    const { name, session } = this.#server;
    const files = definitions.map(({ tool, sha256 }) => ({ path: `${name}/${tool}`, sha256, surface: 'mcp-tool' }));
    appendEvents(session.place.paths.journal, [{ type: 'trust.decided', workspace: session.place.workspace.root, action: 'approve', level: 'always', files }]);
  }
}

/** No tool can be called so. */
const instructionsName = '(instructions)';

function isInstructions({ tool }: Definition): boolean {
  return tool === instructionsName;
}

/** A model does not tell `Send_Mail` from `send-mail`. */
function sameName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[-_./]/gu, '');
}
