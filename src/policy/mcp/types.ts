import type { PolicyDocument, PolicyValue } from '../document/types.ts';
import type { Origin } from '../origin.ts';
import type { LayerKind } from '../verdict.ts';

type McpTable = NonNullable<PolicyValue['mcp']>;

/** A layer's entry for one MCP server. */
export type McpServer = NonNullable<McpTable['servers']>[number];
export type McpFlow = NonNullable<McpTable['flows']>[number];

/** One document's settings of MCP servers, with its lines. */
export interface McpLayer extends Pick<PolicyDocument, 'lines'> {
  readonly value: McpTable;
  readonly origin: Origin;
}

export interface PlacedServer {
  readonly layer: LayerKind;
  readonly server: McpServer;
}

export interface PlacedFlow extends McpFlow {
  readonly origin: Origin;
}

/** The combined statements of all layers. */
export interface McpSettings {
  readonly pin: 'first-use' | 'ask';
  /** Servers in the order of authority. */
  readonly servers: readonly PlacedServer[];
  /** All apply. */
  readonly flows: readonly PlacedFlow[];
}
