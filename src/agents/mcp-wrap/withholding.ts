import { appendEvents } from '../../audit/index.ts';
import type { Pinning, PinnedDefinition } from '../../mcp/pinning.ts';
import type { ServerBox } from '../../mcp/server-box.ts';

export interface WithholdingParts {
  readonly box: ServerBox;
  readonly pinning: Pinning;
  /** Receives one line for a person. */
  readonly tell: (line: string) => void;
}

/** Tells a person about withheld items: each once, and with one question at a time. */
export class Withholding {
  readonly #parts: WithholdingParts;
  readonly #asked = new Set<string>();
  readonly #told = new Set<string>();

  constructor(parts: WithholdingParts) {
    this.#parts = parts;
  }

  /** Asks while the agent goes on. Calls `approved` once someone said yes. */
  ask(settled: PinnedDefinition, approved: () => void = () => undefined): void {
    const key = keyOf(settled);
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    const done = this.#parts.pinning.approve(settled).then((refused) => {
      if (refused === undefined) approved();
    });
    done
      .catch((error: unknown) => this.#parts.tell(error instanceof Error ? error.message : String(error)))
      .finally(() => this.#asked.delete(key));
  }

  tell(withheld: readonly PinnedDefinition[]): void {
    const { box, tell } = this.#parts;
    const fresh = withheld.filter((settled) => settled.state !== 'undeclared' && !this.#told.has(keyOf(settled)));
    if (fresh.length === 0) return;
    for (const settled of fresh) {
      this.#told.add(keyOf(settled));
      tell(
        `${settled.definition.tool.slice(0, longestName)} of ${box.name} is withheld: ${settled.why}; see \`holdfast approvals\``,
      );
    }
    const files = fresh.map(({ definition, state }) => ({
      path: `${box.name}/${definition.tool.slice(0, longestName)}`,
      state: state === 'changed' ? ('changed' as const) : ('new' as const),
    }));
    appendEvents(box.session.place.paths.journal, [
      { type: 'trust.withheld', session: box.session.id, workspace: box.session.place.workspace.root, files },
    ]);
  }
}

const longestName = 128;

function keyOf({ definition }: PinnedDefinition): string {
  return `${definition.tool} ${definition.sha256}`;
}
