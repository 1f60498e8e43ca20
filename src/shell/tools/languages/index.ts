/** What is known of interpreters, compilers and the tools of languages. Specifications and their refinements only: nothing is looked up on the machine. */
import type { ToolSpec } from '../types.ts';
import { compiledTools } from './compiled.ts';
import { javascriptTools } from './javascript.ts';
import { pythonTools } from './python.ts';
import { scriptingTools } from './scripting.ts';

export const languagesTools: readonly ToolSpec[] = [...javascriptTools, ...pythonTools, ...compiledTools, ...scriptingTools];
