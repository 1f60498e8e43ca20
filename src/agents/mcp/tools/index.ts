import type { Tool, ToolContext } from '../tool.ts';
import { applyPatchTool } from './apply-patch.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { fetchTool } from './fetch.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { readTool } from './read.ts';
import { reviewTool } from './review.ts';
import { runCodeTool } from './run-code.ts';
import { whyTool } from './why.ts';
import { writeTool } from './write.ts';

const always: readonly Tool[] = [bashTool, readTool, writeTool, editTool, applyPatchTool, grepTool, globTool, fetchTool, runCodeTool, whyTool];

/** The tools of a sandbox: without a staged layer there is nothing to review. */
export function toolsFor({ staged }: ToolContext['options']): readonly Tool[] {
  return staged === undefined ? always : [...always, reviewTool];
}
