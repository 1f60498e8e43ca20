/**
 * The policy room: what may be read, written, run and reached, and why.
 *
 * A policy is a set of layers; `decide` gives the strictest answer of them, and is the only place that answers. Nothing
 * here touches the host: texts come in, data goes out. File systems, clocks, environments and the rest of Holdfast may
 * not enter; only the errors room, the TOML parser and the schema library do.
 */
export { approvalsOf, type ApprovalSettings, needsCode } from './approvals/approvals-of.ts';
export type { Webhook } from './approvals/read-webhook.ts';
export { type FileAnchor, fileAnchors } from './anchors.ts';
export { type BoundRequest, boundTo, boundToHost, brokerFor } from './credentials/broker-for.ts';
export { credentialsOf, watchOf } from './credentials/credentials-of.ts';
export { describeSource } from './credentials/describe-credential.ts';
export { groupOf } from './credentials/group-of.ts';
export type * from './credentials/types.ts';
export {
  type CommandExplanation,
  commandsAreOpen,
  explain,
  explainCommand,
  type ExplainedEffect,
  type Explanation,
  type Obstacle,
  type TraceStep,
} from './command/explain-command.ts';
export { decideCommand, execRequestOf, plantedVerdict } from './command/decide-command.ts';
export type { CommandFacts, CommandPart, CommandVerdict, ResolvedProgram } from './command/types.ts';
export {
  backendOf,
  backendWishes,
  type CheckContext,
  checkPolicy,
  type Mechanism,
  personalWish,
  residentOf,
} from './check-policy.ts';
export { type Preset, type PresetName, presetNames, presets } from './builtin/presets/index.ts';
export { type AddressAndPort, decide, decideAddress } from './decide.ts';
export { type Decision, decisions, stricter, strictnessOf } from './decision.ts';
export { type ExampleResult, tryExamples } from './document/examples.ts';
export { parsePolicy, type ParsedPolicy, type ParseOptions } from './document/parse.ts';
export type { Problem } from './document/problem.ts';
export type { Grants, NetworkGrants, PolicyDocument, PolicyValue, Proposal } from './document/types.ts';
export { inertRules } from './inert-rules.ts';
export { registryTechniques } from './registry-techniques.ts';
export type { GuaranteeName } from './guarantees.ts';
export { compileLayer, type GrantSource, type UserContext, userLayer } from './layers/compile-layer.ts';
export type { Layer, NetworkFeature, Statement, TlsTreatment } from './layers/layer.ts';
export { builtinRequired, type RequiredContext } from './layers/required.ts';
export type { Setting } from './layers/settings.ts';
export type { BackendChoice } from './settings/levels.ts';
export { type GuardedName, hiddenNames, pinnedNames, protectedNames, releasedPaths } from './names.ts';
export { type Host, normaliseHost } from './normalise/host.ts';
export { normalisePath } from './normalise/path.ts';
export type { ForwardPattern } from './patterns/forward-pattern.ts';
export { matchesHostPattern } from './patterns/matches-host-pattern.ts';
export { type HostPattern, type PortRange, parseHostPattern } from './patterns/host-pattern.ts';
export { parsePathPattern, pathPatternOf } from './patterns/path-pattern.ts';
export { llmOf } from './llm/llm-of.ts';
export { mcpOf } from './mcp/mcp-of.ts';
export type { McpServer, McpSettings, PlacedFlow, PlacedServer } from './mcp/types.ts';
export * from './llm/types.ts';
export { isLookedInto, looksInto, modelServerOf } from './llm/looked-into.ts';
export type { ModelServer } from './llm/match-host.ts';
export { meet, type Policy, policyOf } from './policy.ts';
export { type NamedPrograms, namedPrograms } from './programs/programs.ts';
export type * from './request.ts';
export { everyBox, type LevelName } from './settings/levels.ts';
export type { CommandStatement } from './layers/command-statements.ts';
export {
  type BoxEnvironment,
  buildEnvironment,
  type DropReason,
  type EnvironmentRules,
  type NamedBy,
} from './settings/build-environment.ts';
export { environmentOf, environmentRules } from './settings/environment.ts';
export { gitCommandsOf } from './settings/git-commands.ts';
export { type LimitFacts, type Limits, limitsOf } from './settings/limits.ts';
export { type Forward, networkPlan, type NetworkPlan, type OpenNetwork } from './settings/network-plan.ts';
export { newProtectedOf } from './settings/new-protected.ts';
export { type ProcessSettings, processOf } from './settings/process.ts';
export { demandsOf, requirementsOf } from './settings/requirements.ts';
export type { HostAndPort } from './settings/host-and-port.ts';
export { passesUnasked, tlsTreatment } from './settings/tls-treatment.ts';
export { type LayerKind, layerKinds, type Verdict, type VerdictCode } from './verdict.ts';
export { refusalInstead, searchedNames } from './words/instead.ts';
export { wayText } from './words/remedy.ts';
export type { Way } from './words/ways.ts';
