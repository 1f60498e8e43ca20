export { matchesHost } from '../../../policy/llm/match-host.ts';
