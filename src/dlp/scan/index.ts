export { createScanner, type ExactFinder, type ScannerOptions } from './scanner.ts';
