import { appendEvents } from '../../audit/index.ts';
import type { ServerBox } from '../../sandbox/mcp/server-box.ts';
import { type SettledTool, ToolPins } from '../../sandbox/mcp/tool-pins.ts';
import { listedKeys, type ToolListing } from '../../sandbox/mcp/tool-definition.ts';
import { defused } from './defuse.ts';
import { filterResult } from './filter-result.ts';
import type { Outgoing } from './outgoing.ts';
import { type Answer, codes, failed } from './rpc.ts';

const mostPages = 100;
const mostTools = 1000;

export interface CatalogueOptions {
  readonly box: ServerBox;
  readonly server: Outgoing;
  /** One line for a person. */
  readonly tell: (line: string) => void;
  /** Other tools exist for the agent than it was told. */
  readonly changed: () => void;
}

export type Found = { readonly kind: 'tool'; readonly settled: SettledTool } | { readonly kind: 'unknown' } | { readonly kind: 'failed'; readonly answer: Answer };

/** The tools of the server that exist for the agent: those that were approved, as they were approved. */
export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #pins: ToolPins;
  readonly #asked = new Set<string>();
  readonly #told = new Set<string>();
  #known: ReadonlyMap<string, SettledTool> | undefined;

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#pins = new ToolPins(options.box);
  }

  /** What the agent gets as the answer to `tools/list`: one page, looked up anew. About what is withheld somebody is asked meanwhile. */
  async list(): Promise<Answer> {
    const looked = await this.#look();
    if (!('tools' in looked)) return looked;
    for (const settled of looked.tools) if (settled.state !== 'admitted') this.#askMeanwhile(settled);
    return { result: { tools: looked.tools.filter(({ state }) => state === 'admitted').map(({ tool }) => filterResult('tool-description', defused(this.#options.box.policy, listedKeys(tool)))) } };
  }

  /** A tool by its name, whatever its state. The server is asked where its list is not known, or has changed. */
  async find(name: string): Promise<Found> {
    if (this.#known === undefined) {
      const looked = await this.#look();
      if (!('tools' in looked)) return { kind: 'failed', answer: looked };
    }
    const settled = this.#known?.get(name);
    return settled === undefined ? { kind: 'unknown' } : { kind: 'tool', settled };
  }

  /** Waits for a person's answer about a withheld tool. Gives why it stays so, or nothing. */
  async approve(settled: SettledTool, signal: AbortSignal): Promise<string | undefined> {
    const refused = await this.#pins.approve(settled, signal);
    if (refused === undefined) this.#admit(settled);
    return refused;
  }

  /** What the agent gets of what the server tells the model when it begins. A change is asked about, and counts from the next session on. */
  instructions(text: string): string {
    const settled = this.#pins.settleInstructions(text);
    if (settled.state === 'admitted') return String(defused(this.#options.box.policy, { instructions: text })['instructions']);
    this.#tellWithheld([settled]);
    this.#askMeanwhile(settled);
    return '';
  }

  forget(): void {
    this.#known = undefined;
  }

  async #look(): Promise<{ readonly tools: readonly SettledTool[] } | Answer> {
    const listed = await this.#pages();
    if (!Array.isArray(listed)) return listed as Answer;
    const names = listed.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) return failed(codes.refused, 'the server lists two tools of one name: Holdfast could not tell which of them is called');
    const tools = this.#pins.settle(listed);
    this.#known = new Map(tools.map((settled) => [settled.tool.name, settled]));
    this.#tellWithheld(tools.filter(({ state }) => state !== 'admitted'));
    return { tools };
  }

  async #pages(): Promise<ToolListing[] | Answer> {
    const tools: ToolListing[] = [];
    let cursor: unknown;
    for (let page = 0; page < mostPages; page += 1) {
      const answer = await this.#options.server.ask('tools/list', cursor === undefined ? {} : { cursor });
      if ('error' in answer) return { error: { ...answer.error, message: String(filterResult('tool-result', { message: answer.error.message })['message']) } };
      const { tools: some, nextCursor } = answer.result;
      if (!Array.isArray(some) || !some.every(isTool)) return failed(codes.refused, 'the server answered tools/list with something else than tools');
      tools.push(...some);
      if (tools.length > mostTools) return failed(codes.refused, `the server lists more than ${mostTools} tools`);
      if (typeof nextCursor !== 'string') return tools;
      cursor = nextCursor;
    }
    return failed(codes.refused, `the server lists its tools on more than ${mostPages} pages`);
  }

  #askMeanwhile(settled: SettledTool): void {
    const key = `${settled.tool.name} ${settled.definition.sha256}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    const done = this.#pins.approve(settled).then((refused) => {
      if (refused !== undefined) return;
      this.#admit(settled);
      this.#options.changed();
    });
    done.catch((error: unknown) => this.#options.tell(error instanceof Error ? error.message : String(error))).finally(() => this.#asked.delete(key));
  }

  /** Only if the server lists it still as it was approved. */
  #admit(settled: SettledTool): void {
    const now = this.#known?.get(settled.tool.name);
    if (now === undefined || now.definition.sha256 !== settled.definition.sha256) return;
    this.#known = new Map([...(this.#known ?? []), [settled.tool.name, { ...settled, state: 'admitted' }]]);
  }

  /** Each of them once. */
  #tellWithheld(withheld: readonly SettledTool[]): void {
    const { box, tell } = this.#options;
    const fresh = withheld.filter(({ state, definition }) => state !== 'undeclared' && !this.#told.has(`${definition.tool} ${definition.sha256}`));
    if (fresh.length === 0) return;
    for (const { definition, why } of fresh) {
      this.#told.add(`${definition.tool} ${definition.sha256}`);
      tell(`${definition.tool.slice(0, 128)} of ${box.name} is withheld: ${why}; see \`holdfast approvals\``);
    }
    const files = fresh.map(({ definition, state }) => ({ path: `${box.name}/${definition.tool.slice(0, 128)}`, state: state === 'changed' ? ('changed' as const) : ('new' as const) }));
    appendEvents(box.session.place.paths.journal, [{ type: 'trust.withheld', session: box.session.id, workspace: box.session.place.workspace.root, files }]);
  }
}

function isTool(value: unknown): value is ToolListing {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

