import process from 'node:process';
import { kernelCall } from '../../kernel/index.ts';

/**
 * `asm-generic/ioctls.h`, and `struct termios` of `asm-generic/termbits.h`: four flags of 4 bytes, a byte, 19
 * characters.
 */
const [getAttributes, setAttributes] = [0x5401, 0x5402];
const attributesSize = 36;
const outputFlags = 4;
const processOutput = 1;

/**
 * Lets every key through to a command and all that it prints to the screen, until the result is called. Node's raw mode
 * goes on to put a carriage return before each line feed; a full-screen program, whose own terminal does that already
 * or must not, is garbled by it.
 */
export function rawTerminal(): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  stdin.setRawMode(true);
  const attributes = Buffer.alloc(attributesSize);
  kernelCall('ioctl', stdin.fd, getAttributes, attributes);
  attributes.writeUInt32LE((attributes.readUInt32LE(outputFlags) & ~processOutput) >>> 0, outputFlags);
  kernelCall('ioctl', stdin.fd, setAttributes, attributes);
  return () => void stdin.setRawMode(false);
}
