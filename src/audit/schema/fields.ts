import * as v from 'valibot';

/** Descriptions stand in the published schema. */
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const text = v.string();
export const texts = v.array(text);
export const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/), v.description('SHA-256 or HMAC-SHA256, lower-case hexadecimal'));
export const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
export const milliseconds = v.pipe(v.number(), v.description('milliseconds'));
export const decision = v.picklist(['allow', 'audit', 'redirect', 'stage', 'ask', 'deny']);
export const scheme = v.picklist(['http', 'https', 'ws', 'wss']);
export const workspace = v.pipe(v.string(), v.description('real path of the workspace'));
export const inSession = { session: text, workspace } as const;
export const refusal = v.object({ code: text, message: text });

export const verdict = v.object({
  decision,
  code: v.picklist(['granted', 'rule', 'deny-set', 'not-granted', 'outside-ceiling', 'credential-store', 'protected-path', 'hidden-file', 'policy-file', 'withheld', 'unknown-word', 'not-understood', 'planted-program', 'unrepresentable']),
  rule: v.pipe(text, v.description('name of the rule that settled it')),
  layer: v.picklist(['required', 'managed', 'user', 'project', 'session']),
  file: v.pipe(text, v.description('the policy file, or `built-in`')),
  line: v.pipe(count, v.description('1-based; 0 for built-in rules')),
  message: text,
  remedy: text,
});
