/**
 * WebSocket: looks into what passes through an opened tunnel, message by message, so that neither a phantom nor a secret
 * leaves a box in one and no secret comes back. The handshake, and what follows from a find, are decided elsewhere;
 * nothing here knows a credential.
 */
export { opcodes } from './frame-head.ts';
export { createFrameReader, type Piece } from './frame-reader.ts';
export { type Ending, framedTunnel, type Passed } from './framed-tunnel.ts';
export { FrameViolation } from './violation.ts';
export { watchWebSocket, type WebSocketWatch } from './watch-websocket.ts';
export { writeFrame } from './write-frame.ts';
