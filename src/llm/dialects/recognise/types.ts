/** A name, or a pattern with `*` for one or more of any characters: `*.openai.azure.com`, `bedrock-runtime.*.amazonaws.com`. */
export type HostPattern = string;

/** How a server's paths are taken, and which dialect it speaks where its path tells none. */
export type ServerStyle = 'anthropic' | 'openai' | 'azure' | 'gemini' | 'vertex' | 'bedrock' | 'openrouter' | 'ollama';

/** A server of models: one that is known, or one that a policy names. */
export interface ModelServer {
  readonly hosts: readonly HostPattern[];
  /** Any port where there are none. */
  readonly ports?: readonly number[];
  readonly provider: string;
  readonly style: ServerStyle;
  /** Requests elsewhere are not to models at all: a host that serves other things beside, such as openrouter.ai. Default: the whole host. */
  readonly basePath?: string;
  /** See `ModelCall.streamUsage`. */
  readonly streamUsage?: 'unasked';
}
