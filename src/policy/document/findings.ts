import { approvalFindings } from '../approvals/approval-findings.ts';
import { credentialFindings } from '../credentials/credential-findings.ts';
import { llmFindings } from '../llm/llm-findings.ts';
import { mcpFindings } from '../mcp/mcp-findings.ts';
import type { LayerKind } from '../verdict.ts';
import { environmentFindings } from './environment-findings.ts';
import { execFindings } from './exec-findings.ts';
import { exampleFindings } from './example-findings.ts';
import { patternFindings } from './pattern-findings.ts';
import { placeFindings } from './place-findings.ts';
import type { Finding } from './problem.ts';
import { quantityFindings } from './quantity-findings.ts';
import { reachFindings } from './reach-findings.ts';
import { ruleFindings } from './rule-findings.ts';
import type { PolicyValue } from './types.ts';

/** What the schema cannot say: patterns, names, examples, and statements that could never have an effect. */
export function findings(value: PolicyValue, kind: LayerKind | undefined): readonly Finding[] {
  const shape = [...(kind === undefined ? [] : placeFindings(value, kind)), ...patternFindings(value), ...quantityFindings(value), ...ruleFindings(value), ...execFindings(value), ...environmentFindings(value), ...credentialFindings(value), ...approvalFindings(value), ...llmFindings(value), ...mcpFindings(value)];
  // Examples and reach are judged by compiled patterns, so they have to be sound first.
  return shape.length > 0 ? shape : [...exampleFindings(value), ...reachFindings(value)];
}
