/**
 * WebSocket: looks into what passes through an opened tunnel, message by message, so that neither a phantom nor a secret
 * leaves a box in one and no secret comes back. The handshake, and what follows from a find, are decided elsewhere;
 * nothing here knows a credential.
 */
export { watchWebSocket, type WebSocketWatch } from './watch-websocket.ts';
