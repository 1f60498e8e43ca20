import * as v from 'valibot';
import type { PolicyPart } from './policy-part.ts';

/** Longest lists and names of a policy: far above any real one, and low enough to check quickly. */
const mostRules = 1000;
export const mostPatterns = 10_000;

/** Schema of a list of patterns or names. */
export function texts(description: string) {
  return v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.maxLength(mostPatterns), v.description(description));
}

const ruleName = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z][\w.-]{0,63}$/,
    'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
  ),
  v.description('Unique in the file; verdicts, the journal and approvals show it'),
);

export const variableName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_]\w*$/, 'a variable is named with letters, digits and underscores'),
);

/** Keys of every rule. `reason` reaches the agent; `match` and `not_match` are checked whenever the policy loads. */
const common = {
  name: ruleName,
  reason: v.optional(v.pipe(v.string(), v.description('Shown wherever the rule decides'))),
  match: v.optional(texts('Examples that this rule must match')),
  not_match: v.optional(texts('Examples that this rule must not match')),
};

const redirectTo = v.optional(
  v.pipe(v.string(), v.minLength(1), v.description('Where a redirect goes; only with decision = "redirect"')),
);

const port = v.pipe(
  v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), v.string()]),
  v.description('A port, or a range such as "8000-8100"'),
);

const fileRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'redirect', 'stage', 'ask', 'deny']),
  redirect_to: redirectTo,
  paths: texts('Path patterns'),
  operations: v.optional(v.array(v.picklist(['read', 'write', 'create', 'delete', 'execute']))),
});

const otherCommand = v.pipe(
  v.array(v.string()),
  v.minLength(1),
  v.maxLength(100),
  v.description('Words of a command; "{args}", "{rest}" and "{1}" stand for words of the redirected command'),
);

const execRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'redirect', 'ask', 'deny']),
  redirect_to: v.optional(
    v.pipe(
      v.union([v.pipe(v.string(), v.minLength(1)), otherCommand]),
      v.description(
        'Another program for the same words, or the words of another command; only with decision = "redirect"',
      ),
    ),
  ),
  commands: v.optional(
    texts('Commands, e.g. "git push --force": options in any spelling and order, operands from the first one on'),
  ),
  exactly: v.optional(
    v.pipe(
      v.array(v.string()),
      v.maxLength(1000),
      v.description(
        'The exact words of one command, and nothing more: ["git", "push", "--force"]; instead of commands',
      ),
    ),
  ),
  context: v.optional(v.picklist(['direct', 'nested'])),
  env: v.optional(
    v.pipe(
      v.record(variableName, v.string()),
      v.description('Variables that such a command gets; only with decision = "allow" or "audit"'),
    ),
  ),
});

const connectRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'redirect', 'ask', 'deny']),
  redirect_to: redirectTo,
  hosts: texts('Host patterns'),
  ports: v.optional(v.array(port)),
  protocol: v.optional(v.picklist(['tcp', 'udp'])),
});

/** Requests have literal methods only, so a rule with a wildcard would never match. */
const method = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z][A-Za-z-]{0,31}$/, 'a method is a word such as GET; leave methods out to mean all of them'),
);

const httpRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'redirect', 'ask', 'deny']),
  redirect_to: redirectTo,
  hosts: texts('Host patterns'),
  ports: v.optional(v.array(port)),
  schemes: v.optional(v.array(v.picklist(['http', 'https', 'ws', 'wss']))),
  methods: v.optional(
    v.pipe(v.array(method), v.maxLength(mostPatterns), v.description('HTTP methods, in upper or lower case')),
  ),
  paths: v.optional(texts('Globs over the path of the URL, without its query')),
});

const dnsRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'ask', 'deny']),
  names: texts('Host patterns without a port'),
  types: v.optional(texts('Record types such as A, AAAA, TXT')),
});

const socketRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'redirect', 'ask', 'deny']),
  redirect_to: redirectTo,
  addresses: texts('Path patterns, or globs that start with @ for abstract sockets'),
  operations: v.optional(v.array(v.picklist(['connect', 'bind', 'send']))),
});

const signalRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'redirect', 'ask', 'deny']),
  redirect_to: redirectTo,
  signals: v.optional(texts('Names such as SIGKILL')),
  targets: v.optional(v.array(v.picklist(['self', 'child', 'box', 'supervisor', 'outside']))),
});

const envRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'ask', 'deny']),
  names: texts('Names of variables; * and ? are wildcards'),
});

const toolRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'stage', 'ask', 'deny']),
  tools: texts('"server/tool"; * and ? are wildcards'),
  arguments: v.optional(
    v.pipe(
      v.record(v.pipe(v.string(), v.minLength(1)), texts('Wildcards for its values')),
      v.description(
        'Only calls with these arguments: names ("path", "options.path", "*" for every value) with patterns for their values. A rule that allows needs each argument, and each value must match',
      ),
    ),
  ),
});

const trustRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'ask', 'deny']),
  paths: texts('Path patterns'),
  sha256: v.optional(
    v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256 has 64 lower-case hexadecimal digits'))),
  ),
});

const registryRule = v.strictObject({
  ...common,
  decision: v.picklist(['allow', 'audit', 'ask', 'deny']),
  keys: texts('Windows registry keys, e.g. "HKCU\\Software\\Example"'),
  operations: v.optional(v.array(v.picklist(['read', 'write', 'create', 'delete']))),
});

function rules<Rule extends v.GenericSchema>(rule: Rule, description: string) {
  return v.optional(v.pipe(v.array(rule), v.maxLength(mostRules), v.description(description)));
}

/** Arrays of rules, one for each kind of request. The first rule that matches decides. */
export const ruleEntries = {
  file: rules(fileRule, 'Rules about files; the first that matches decides'),
  exec: rules(execRule, 'Rules about commands'),
  connect: rules(connectRule, 'Rules about connections'),
  http: rules(httpRule, 'Rules about HTTP requests'),
  dns: rules(dnsRule, 'Rules about name look-ups'),
  socket: rules(socketRule, 'Rules about Unix sockets'),
  signal: rules(signalRule, 'Rules about signals'),
  env: rules(envRule, 'Rules about environment variables'),
  tool: rules(toolRule, 'Rules about MCP tools'),
  trust: rules(trustRule, 'Rules about files of a repository that could execute'),
  registry_rule: rules(registryRule, 'Rules about the Windows registry'),
};

/** Names of the arrays of rules. */
export type RuleTable = keyof typeof ruleEntries;
export type RuleOf<Table extends RuleTable> = NonNullable<PolicyPart<typeof ruleEntries>[Table]>[number];
