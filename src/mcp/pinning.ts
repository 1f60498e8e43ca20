import { join } from 'node:path';
import { appendEvents } from '../audit/index.ts';
import { decide } from '../policy/decide.ts';
import { compileWildcard, matchesWildcard } from '../policy/patterns/wildcard.ts';
import type { TrustRequest } from '../policy/request.ts';
import { present } from '../text/index.ts';
import {
  type AllPins,
  changePins,
  type Definition,
  pinsOf,
  readPins,
  seenMark,
  type ServerPins,
} from '../trust/pins/pins.ts';
import {
  definitionLines,
  definitionOfSaid,
  foreignReference,
  kindOfPin,
  listedKeys,
  type ListedKind,
  type Said,
  type SaidKind,
} from './said.ts';
import type { ServerBox } from './server-box.ts';

/**
 * Reason that an item of a server is hidden from the agent. Nobody is asked to approve `undeclared` and `invalid`
 * items.
 */
export type Withheld = 'new' | 'changed' | 'shadowing' | 'undeclared' | 'invalid';

export interface PinnedDefinition {
  readonly said: Said;
  readonly definition: Definition;
  readonly state: 'admitted' | Withheld;
  /** The reason in words, for a person. */
  readonly why: string;
}

export interface Greeting {
  /** The server's statements about itself when it starts. */
  readonly said: readonly Said[];
  /** Kinds of lists that the server does not have. */
  readonly without: readonly ListedKind[];
}

/** Names that follow the protocol's own advice. A model might not repeat other names exactly. */
const usableName = /^[\w./-]{1,128}$/u;
/** Most characters of a definition. A person could not review a longer one. */
const longestDefinition = 60_000;

/**
 * The approved tools, prompts, resource templates and instructions of one server. An approval is for a hash, and the
 * agent gets exactly the text that was hashed.
 */
export class Pinning {
  readonly #server: ServerBox;
  /** Receives one line for a person. */
  readonly #tell: (line: string) => void;

  constructor(server: ServerBox, tell: (line: string) => void) {
    this.#server = server;
    this.#tell = tell;
  }

  /**
   * Returns the state of each item of a list. With `first-use` in the policy, the first list is pinned as it is, even
   * an empty one. Throws `HF_TRUST_INVALID` and `HF_STATE_UNWRITABLE`.
   */
  settle(kind: ListedKind, listed: readonly Said[]): readonly PinnedDefinition[] {
    let settled: readonly PinnedDefinition[] = [];
    changePins(this.#directory, this.#server.name, (all) => {
      settled = listed.map((said) => this.#settleOne(said, all));
      const own = this.#own(all);
      if (isSeen(own, kind)) return [];
      if (this.#server.settings.pin === 'ask') return [seenMark(lists[kind])];
      const taken = settled.filter(({ state }) => state === 'new').map(({ definition }) => definition);
      this.#take(lists[kind], taken, own);
      settled = settled.map((each) => (each.state === 'new' ? { ...each, state: 'admitted' } : each));
      return [seenMark(lists[kind]), ...taken];
    });
    return settled;
  }

  /**
   * Settles the greeting of a server in the same way. A server that says nothing still counts as seen, and a server
   * without tools counts as having listed none.
   */
  settleGreeting({ said, without }: Greeting): readonly PinnedDefinition[] {
    let settled: readonly PinnedDefinition[] = [];
    changePins(this.#directory, this.#server.name, (all) => {
      const own = this.#own(all);
      settled = said.map((each) => greeted(each, own));
      const marks = without.filter((kind) => !isSeen(own, kind)).map((kind) => seenMark(lists[kind]));
      if (this.#server.settings.pin === 'ask') return marks;
      const isTaken = ({ state, said: { kind } }: PinnedDefinition): boolean =>
        state === 'new' && (kind === 'server' || own.length === 0);
      const taken = settled.filter(isTaken).map(({ definition }) => definition);
      this.#take('name', taken, own);
      settled = settled.map((each) => (isTaken(each) ? { ...each, state: 'admitted' } : each));
      return [...marks, ...taken];
    });
    return settled;
  }

  /**
   * Asks for an approval, unless a rule about trust answers. Returns the reason that the item is not approved, or
   * undefined.
   */
  async approve(
    { said: { kind, id }, definition, state, why }: PinnedDefinition,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    if (state === 'undeclared' || state === 'invalid') return why;
    const { name, policy, session } = this.#server;
    const request: TrustRequest = {
      kind: 'trust',
      path: join(this.#directory, name, encodeURIComponent(definition.tool)),
      sha256: definition.sha256,
    };
    const verdict = decide(policy, request);
    const before = pinsOf(name, readPins(this.#directory)).findLast(({ tool }) => tool === definition.tool);
    const details = [`${asked[kind](id, name)}: ${why}`, ...definitionLines(kind, before, definition)];
    switch (verdict.decision) {
      case 'allow':
      case 'audit':
        break;
      case 'deny':
      case 'stage':
      case 'redirect':
        return verdict.message;
      case 'ask': {
        const outcome = await session.approvals.ask({
          request,
          verdict: { ...verdict, message: verdict.message, remedy: verdict.remedy },
          details,
          ...(signal === undefined ? {} : { signal }),
        });
        if (outcome.kind === 'denied') return outcome.message;
      }
    }
    changePins(this.#directory, name, () => {
      this.#journalApproval([definition]);
      return [definition];
    });
    return undefined;
  }

  #own(all: AllPins): readonly Definition[] {
    return pinsOf(this.#server.name, all);
  }

  get #directory(): string {
    return this.#server.session.place.paths.mcp;
  }

  #settleOne(said: Said, all: AllPins): PinnedDefinition {
    const definition = definitionOfSaid(said);
    const settled = (state: PinnedDefinition['state'], why: string): PinnedDefinition => ({
      said,
      definition,
      state,
      why,
    });
    const own = this.#own(all).filter(({ tool }) => tool === definition.tool);
    const invalid = invalidity(said, definition);
    if (invalid !== undefined) return settled('invalid', invalid);
    if (said.kind === 'tool' && !this.#isDeclared(said.id))
      return settled('undeclared', 'the policy does not name it among the tools of this server');
    if (own.some(({ sha256 }) => sha256 === definition.sha256)) return settled('admitted', 'it was approved');
    if (own.length > 0) return settled('changed', 'it differs from the approved one');
    const other = said.kind === 'tool' ? this.#otherWith(said.id, all.servers) : undefined;
    if (other !== undefined) return settled('shadowing', `the server ${other.server} has a tool of this name`);
    // Attack: the pins of a server are damaged so that another server can use the names of its tools.
    if (said.kind === 'tool' && all.damaged.length > 0)
      return settled(
        'shadowing',
        `${all.damaged[0]?.path} is damaged, so it is unknown whether another server has a tool of this name`,
      );
    return settled('new', 'nobody has approved it');
  }

  #isDeclared(tool: string): boolean {
    return this.#server.capabilities.tools.every((patterns) =>
      patterns.some((pattern) => matchesWildcard(compileWildcard(pattern), tool)),
    );
  }

  #otherWith(tool: string, all: readonly ServerPins[]): ServerPins | undefined {
    return all.find(
      ({ server, definitions }) =>
        server !== this.#server.name && definitions.some((found) => sameName(found.tool, tool)),
    );
  }

  /** If an earlier version of Holdfast pinned the server's tools, tells a person which parts were newly pinned. */
  #take(what: string, taken: readonly Definition[], own: readonly Definition[]): void {
    if (taken.length === 0) return;
    if (own.some(({ tool }) => kindOfPin(tool) === 'tool'))
      this.#tell(
        `the pins of ${this.#server.name} lacked its ${what}: ${taken.length} were pinned in the current form`,
      );
    this.#journalApproval(taken);
  }

  #journalApproval(definitions: readonly Definition[]): void {
    if (definitions.length === 0) return;
    const { name, session } = this.#server;
    const files = definitions.map(({ tool, sha256 }) => ({
      path: `${name}/${tool}`,
      sha256,
      surface: `mcp-${kindOfPin(tool)}`,
    }));
    appendEvents(session.place.paths.journal, [
      { type: 'trust.decided', workspace: session.place.workspace.root, action: 'approve', level: 'always', files },
    ]);
  }
}

/** Names for a person, and for the record that a list was seen. */
const lists = { tool: 'tools', prompt: 'prompts', template: 'resource templates' } as const satisfies Readonly<
  Record<ListedKind, string>
>;

const asked = {
  tool: (id, server) => `the tool ${id} of the MCP server ${server}`,
  prompt: (id, server) => `the prompt ${id} of the MCP server ${server}`,
  template: (id, server) => `the resource template ${id} of the MCP server ${server}`,
  instructions: (_id, server) => `the instructions of the MCP server ${server} for the model`,
  server: (_id, server) => `the MCP server ${server}'s description of itself`,
} as const satisfies Readonly<Record<SaidKind, (id: string, server: string) => string>>;

function isSeen(own: readonly Definition[], kind: ListedKind): boolean {
  return own.some(({ tool }) => kindOfPin(tool) === kind || tool === seenMark(lists[kind]).tool);
}

function greeted(said: Said, own: readonly Definition[]): PinnedDefinition {
  const definition = definitionOfSaid(said);
  const same = own.filter(({ tool }) => tool === definition.tool);
  if (same.some(({ sha256 }) => sha256 === definition.sha256))
    return { said, definition, state: 'admitted', why: 'it was approved' };
  return same.length > 0
    ? { said, definition, state: 'changed', why: 'it differs from the approved one' }
    : { said, definition, state: 'new', why: 'nobody has approved it' };
}

/** Attack: a name with a line break, followed by a line that a person takes for one of Holdfast's. */
function invalidity(said: Said, definition: Definition): string | undefined {
  const isUsable =
    said.kind === 'tool'
      ? usableName.test(said.id)
      : present('tool-description', said.id).text === said.id && !/\p{Cc}/u.test(said.id);
  if (!isUsable) return 'a model could not repeat its name exactly';
  if (definition.text.length > longestDefinition) return `its definition has more than ${longestDefinition} characters`;
  return said.kind === 'tool' && foreignReference(listedKeys(said)) !== undefined
    ? 'its schema refers to another document, which a client would fetch'
    : undefined;
}

/** Compares names loosely, because a model does not distinguish `Send_Mail` from `send-mail`. */
function sameName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[-_./]/gu, '');
}
