/**
 * The wiki's own look: accent colour, font and style sheet of the settings, as files with a hash in their address. A page names the
 * files of the settings that it was made with, so no cached page has a mixture of two looks.
 */
import { createHash } from 'node:crypto';
import { accentOf } from '#core/model/accent.ts';
import { pictureNames, type Settings } from '#core/model/settings.ts';
import type { SettingsStore } from '#core/ports/settings-store.ts';
import type { Assets } from './assets.ts';

export interface SiteLook {
  settings: Readonly<Settings>;
  /** Style sheets by file name, without those that the settings leave empty. */
  styles: ReadonlyMap<SiteStyle, string>;
  url(name: SiteStyle | PictureName): string;
  version: string;
}

/** `colours.css` is ours, made from the settings; `own.css` is written by administrators. */
export type PictureName = (typeof pictureNames)[number];
export type SiteStyle = 'colours.css' | 'own.css';

/** Returns the look of the current settings, made anew when they have changed. */
export function siteLooks(settings: SettingsStore, assets: Assets): () => SiteLook {
  let look: SiteLook | undefined;
  return () => {
    const current = settings.current();
    if (look?.settings !== current) look = lookOf(current, assets);
    return look;
  };
}

function lookOf(settings: Readonly<Settings>, assets: Assets): SiteLook {
  const all = siteStyles(settings, assets.url);
  const styles = new Map(all.filter(([, text]) => text !== ''));
  const pictures = pictureNames.map((name) => settings[name]?.data);
  const version = createHash('sha256')
    .update(JSON.stringify([all, pictures]))
    .digest('hex')
    .slice(0, 12);
  return { settings, styles, version, url: (name) => `/assets/site/${version}/${name}` };
}

/** Style sheets of the settings after that of the site. `urlOf`: address of a font file. */
export function siteStyles(
  { accent, font, css }: Pick<Settings, 'accent' | 'font' | 'css'>,
  urlOf: (file: string) => string,
): [SiteStyle, string][] {
  const colours = [fontRules[font](urlOf), accent === null ? '' : accentRules(accent)].join('');
  return [
    ['colours.css', colours],
    ['own.css', css],
  ];
}

/** Custom properties of `styles/tokens.css`. */
function accentRules(accent: string): string {
  const { light, dark } = accentOf(accent);
  return `:root{--link:light-dark(${light},${dark});--link-soft:light-dark(${light}55,${dark}55)}\n`;
}

const fontRules: Record<Settings['font'], (urlOf: (file: string) => string) => string> = {
  serif: () => '',
  sans: (urlOf) => `${sansFaces(urlOf)}:root{--serif:"Source Sans",var(--sans)}\n`,
  device: () => ':root{--serif:var(--sans)}\n',
};

/** The same parts of Unicode as in `styles/fonts.css`. */
const latinExtended =
  'U+100-130,U+132-151,U+154-2BA,U+2BD-2C5,U+2C7-2CC,U+2CE-2D7,U+2DD-2FF,U+1D00-1DBF,U+1E00-1EFF,U+2C60-2C7F,U+A720-A7FF';

function sansFaces(urlOf: (file: string) => string): string {
  return ['normal', 'italic']
    .flatMap((style) =>
      ['latin', 'latin-ext'].map((part) => {
        const url = urlOf(`source-sans-3-${part}-wght-${style}.woff2`);
        const range = part === 'latin' ? '' : `unicode-range:${latinExtended};`;
        return `@font-face{font-family:"Source Sans";font-style:${style};font-weight:200 900;font-display:swap;${range}src:url("${url}") format("woff2")}\n`;
      }),
    )
    .join('');
}
