import type { CallToolResult } from '@modelcontextprotocol/server';
import { type BaseIssue, getDotPath, safeParse } from 'valibot';
import { failureOf, failureText, type Failure } from './failures.ts';
import { present } from '../../sandbox/index.ts';
import { shown } from './shown.ts';
import type { Tool, ToolContext } from './tool.ts';

/** One call: its arguments are checked, it runs, and every text of what it gives is filtered. What fails is a result, which the model reads. */
export async function callTool(tool: Tool, given: unknown, context: ToolContext): Promise<CallToolResult> {
  const { success, output: input, issues } = safeParse(tool.input, given ?? {});
  if (!success) return failed({ code: 'HF_USAGE', message: `${tool.name}: ${issues.slice(0, mostIssues).map(issueText).join('; ')}`, remedy: 'see the input schema of the tool' });
  try {
    const { text, structured, images = [] } = await tool.run(input, context);
    const answer = shown('tool-result', { content: [{ type: 'text' as const, text }], structuredContent: { ...structured } });
    return { ...answer, content: [...answer.content, ...images.map((image) => ({ type: 'image' as const, ...image }))] };
  } catch (error) {
    return failed(failureOf(error));
  }
}

const mostIssues = 5;
const longestText = 4000;

/** Nothing of it was shown before. */
function failed(failure: Failure): CallToolResult {
  const bounded = Object.fromEntries(Object.entries(failure).map(([key, value]) => [key, present('tool-result', value.slice(0, longestText)).text])) as unknown as Failure;
  return { isError: true, content: [{ type: 'text', text: failureText(bounded) }], structuredContent: { ...bounded } };
}

/** `timeoutMs: Invalid type: …`. What was sent is not repeated at length. */
function issueText(issue: BaseIssue<unknown>): string {
  const where = (getDotPath(issue) ?? '').slice(0, 100);
  if (issue.type === 'strict_object' && issue.expected === 'never') return `there is no field ${JSON.stringify(where)}`;
  return `${where === '' ? '' : `${where}: `}${issue.message.slice(0, 200)}`;
}
