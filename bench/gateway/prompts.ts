/** Texts of source code, for the inspection. */
export interface PromptOptions {
  readonly source: string;
  readonly messages: number;
  /** Bytes of every large tool result. */
  readonly large: number;
  /** Bytes of all others. */
  readonly small: number;
  /** In one of the messages. */
  readonly secret: string;
}

/** A conversation as an agent sends it with every turn: texts, tool calls, and results, some of them JSON in a text. */
export function promptOf({ source, messages, large, small, secret }: PromptOptions): Buffer {
  let at = 0;
  const take = (length: number): string => {
    at = at + length > source.length ? 0 : at;
    at += length;
    return source.slice(at - length, at);
  };
  const all = Array.from({ length: messages }, (_, index) =>
    messageOf(index, { take, large, small, secret: index === messages - 1 ? secret : '' }),
  );
  return Buffer.from(
    JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 1000,
      stream: true,
      system: 'You write programs.',
      messages: all,
    }),
  );
}

interface Parts {
  take(length: number): string;
  readonly large: number;
  readonly small: number;
  readonly secret: string;
}

/** Every hundredth message has a large tool result. */
function messageOf(index: number, { take, large, small, secret }: Parts): unknown {
  const id = `toolu_${index}`;
  const result = (content: unknown): unknown => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content }],
  });
  switch (index % 3) {
    case 0:
      return index % 99 === 0 && large > 0
        ? result(take(large))
        : { role: 'user', content: `${take(small)} ${secret}` };
    case 1:
      return {
        role: 'assistant',
        content: [
          { type: 'text', text: take(small) },
          { type: 'tool_use', id, name: 'edit', input: { path: 'src/file.ts', text: take(small) } },
        ],
      };
    default:
      return result([{ type: 'text', text: `${JSON.stringify({ files: [take(small)], secret })}` }]);
  }
}
