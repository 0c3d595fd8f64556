/**
 * The site's style sheet, concatenated from `styles/`: one file for each component, in the order in which rules of equal
 * specificity override each other. Rules for screen sizes come after all components, print rules last.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const styleFiles = [
  'fonts',
  'tokens',
  'base',
  'controls',
  'frame',
  'thumb-bar',
  'page',
  'front-page',
  'tree',
  'contents',
  'content',
  'content-code',
  'content-tables',
  'content-media',
  'content-boxes',
  'plain-pages',
  'search',
  'map',
  'history',
  'writing',
  'trash',
  'moving',
  'files',
  'watching',
  'second-factor',
  'settings',
  'access',
  'comments',
  'proposals',
  'link-preview',
  'screens',
  'print',
].map((name) => `${name}.css`);

export function readStyleSheet(): string {
  return styleFiles
    .map((name) => readFileSync(new URL(`./styles/${name}`, import.meta.url), 'utf8'))
    .join('\n');
}

/** Font files that the style sheet refers to. */
export const fonts = [
  ...['latin-wght-normal', 'latin-wght-italic', 'latin-ext-wght-normal', 'latin-ext-wght-italic'].map(
    (name) => `@fontsource-variable/source-serif-4/files/source-serif-4-${name}.woff2`,
  ),
  '@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2',
].map(inModules);

/** Font files that the style sheet of the settings may refer to. */
export const chosenFonts = [
  'latin-wght-normal',
  'latin-wght-italic',
  'latin-ext-wght-normal',
  'latin-ext-wght-italic',
]
  .map((name) => `@fontsource-variable/source-sans-3/files/source-sans-3-${name}.woff2`)
  .map(inModules);

export function inModules(file: string): string {
  return fileURLToPath(import.meta.resolve(file));
}
