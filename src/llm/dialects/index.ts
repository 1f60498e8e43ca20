export { dialects } from './dialects.ts';
export { isTextLeaf } from './request-places.ts';
export { knownServers } from './recognise/known-servers.ts';
export { recogniseCall } from './recognise/recognise-call.ts';
export type { SeenRequest } from './recognise/recognise-call.ts';
export type { ModelServer } from './recognise/types.ts';
