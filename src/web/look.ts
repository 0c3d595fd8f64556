/** The site's style sheet for exports, with its fonts and pictures. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { outsideContent } from './content-scope.ts';
import { fonts, readStyleSheet } from './styles.ts';

export function readLook(): { styleSheet: string; files: Map<string, Uint8Array> } {
  return {
    styleSheet: outsideContent(readStyleSheet()),
    files: new Map(fonts.map((file) => [basename(file), readFileSync(file)])),
  };
}
