import type { IncomingResponse, OutgoingRequest, Refused, Send } from '../../egress/index.ts';
import type { DlpRule } from '../../policy/index.ts';
import { contentRules } from './content-rules.ts';
import { editContent } from './edit-content.ts';
import { readContent } from './read-content.ts';
import type { Looking } from './types.ts';
import { withContent } from './with-content.ts';
import { refusedContent } from './refused-content.ts';

/** A request to a host that is no server of models, and that a rule names. Nothing is brought back in its answer: it is not local. */
export async function carryOther(request: OutgoingRequest, send: Send, looked: Looking & { readonly rules: readonly DlpRule[] }): Promise<IncomingResponse | Refused> {
  const { gateway, destination, path } = looked;
  const content = await readContent(request);
  if (content.kind === 'unreadable') return refusedContent('its content cannot be looked into', content.why);
  const rules = contentRules(looked.rules, gateway.secrets());
  if (content.kind === 'none' || content.bytes.length === 0 || rules === undefined) return send(request);
  const edited = editContent(content.bytes, { rules, fakes: gateway.fakes, fields: ['**'] });
  const found = edited.kind === 'unreadable' ? [] : edited.found;
  for (const { rule, counts } of found) gateway.record({ type: 'dlp', host: destination.host, port: destination.port, path, rule: rule.name, decision: rule.decision, found: counts });
  if (edited.kind === 'blocked') return refusedContent(`the rule ${edited.by.rule.name} keeps it (${Object.keys(edited.by.counts).join(', ')})`, edited.by.rule.reason ?? 'it holds what may not leave');
  if (edited.kind === 'passes') return send(withContent(request, content, edited.bytes));
  // No JSON: its text is looked at as a whole, and blocked or let go, for it cannot be changed without harm.
  const hits = rules.scanner.find(content.bytes.toString('latin1'));
  const deciding = hits.map((finding) => ({ finding, rule: rules.ruleFor(finding) })).filter(({ rule }) => rule.decision !== 'audit');
  for (const { finding, rule } of deciding) gateway.record({ type: 'dlp', host: destination.host, port: destination.port, path, rule: rule.name, decision: 'block', found: { [finding.rule]: 1 } });
  const [first] = deciding;
  return first === undefined ? send(withContent(request, content, content.bytes)) : refusedContent(`the rule ${first.rule.name} keeps it (${first.finding.rule})`, 'what is no JSON cannot be changed on its way');
}
