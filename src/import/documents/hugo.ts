/** Addresses of Hugo and of Zola: sections, bundles, slugs, aliases. */
import { type Facts, isFacts, listIn, textIn } from './settings.ts';
import { filledPermalink, folderAddress, folderOf, nameOf, type SiteDocument } from './site-address.ts';

export function hugoAddresses({ path, facts }: SiteDocument, settings: Facts): string[] {
  const aliases = listIn(facts, 'aliases');
  const { language, rest } = hugoLanguage(path, settings);
  const url = textIn(facts, 'url');
  if (url !== undefined) return [url.replace(/^\//, ''), ...aliases];
  const own = folderAddress(rest, /^_?index$/);
  const slug = textIn(facts, 'slug');
  const shown = slug === undefined ? own : own.replace(/[^/]+\/$/, `${slug}/`);
  const section = rest.slice(0, rest.indexOf('/'));
  const pattern = isFacts(settings.permalinks) ? hugoPattern(settings.permalinks, section) : undefined;
  const permalink =
    pattern &&
    filledPermalink(pattern, { facts, slug: slug ?? nameOf(own), section, folder: folderOf(rest) });
  const all = permalink === undefined ? [shown] : [permalink, shown];
  return [...all, ...(language === '' ? [] : all.map((one) => `${language}/${one}`)), ...aliases];
}

function hugoPattern(permalinks: Facts, section: string): string | undefined {
  const { page } = permalinks;
  return (isFacts(page) ? textIn(page, section) : undefined) ?? textIn(permalinks, section);
}

/** Languages that the settings name are folders, or stand before the ending: `oak.en.md`. */
function hugoLanguage(path: string, { languages }: Facts): { language: string; rest: string } {
  const codes = isFacts(languages) ? Object.keys(languages) : [];
  for (const code of codes) {
    if (path.startsWith(`${code}/`)) return { language: code, rest: path.slice(code.length + 1) };
    const end = `.${code}.md`;
    if (path.endsWith(end)) return { language: code, rest: `${path.slice(0, -end.length)}.md` };
  }
  return { language: '', rest: path };
}

/** A page bundle is referred to by the name of its folder. */
export function bundleNames({ path }: SiteDocument): string[] {
  return /(?:^|\/)_?index\.\w+$/.test(path) ? [nameOf(folderOf(path))] : [];
}

export function zolaAddresses({ path, facts }: SiteDocument): string[] {
  const aliases = listIn(facts, 'aliases');
  const given = textIn(facts, 'path');
  if (given !== undefined) return [`${given.replace(/^\/|\/$/g, '')}/`, ...aliases];
  const own = folderAddress(path, /^_?index$/).replace(
    /(^|\/)\d{4}-\d{2}-\d{2}(?:T[^/_]*?Z)?[-_](?=[^/]+\/$)/,
    '$1',
  );
  const slug = textIn(facts, 'slug');
  return [slug === undefined ? own : own.replace(/[^/]+\/$/, `${slug}/`), ...aliases];
}
