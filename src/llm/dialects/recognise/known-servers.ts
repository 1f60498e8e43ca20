export { knownServers } from '../../../policy/llm/known-servers.ts';
