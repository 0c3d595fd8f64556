/** The look of the site for exports: the style sheet and all that it names, as files beside each other. */
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
