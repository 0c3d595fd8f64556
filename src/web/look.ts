/** The site's style sheet for exports, with its fonts and pictures. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { initialSettings, type Settings } from '#core/model/settings.ts';
import { outsideContent } from './content-scope.ts';
import { siteStyles } from './site-look.ts';
import { chosenFonts, fonts, readStyleSheet } from './styles.ts';

/** Colour, font and style sheet of the settings follow the rules of the site, as they do there. */
export function readLook(settings: Partial<Settings>): {
  styleSheet: string;
  files: Map<string, Uint8Array>;
} {
  const look = { ...initialSettings, ...settings };
  const named = look.font === 'sans' ? [...fonts, ...chosenFonts] : fonts;
  const own = siteStyles(look, (file) => file).map(([, rules]) => rules);
  return {
    styleSheet: [outsideContent(readStyleSheet()), ...own].join('\n'),
    files: new Map(named.map((file) => [basename(file), readFileSync(file)])),
  };
}
