/** Addresses of a Jekyll site: pages, posts and collections, with permalinks of pages, of settings and of defaults. */
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { bytesOf, type FileTree } from './file-tree.ts';
import { type Facts, isFacts, listIn, textIn } from './settings.ts';
import { filledPermalink, folderAddress, folderOf, nameOf, type SiteDocument } from './site-address.ts';

const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  none: '/:categories/:title:output_ext',
};
const post = /^(?:(.*)\/)?_(?:posts|drafts)\/(?:.*\/)?(?:(\d{4}-\d{1,2}-\d{1,2})-)?([^/]+)\.\w+$/;
const collected = /^(?:collections\/)?_([^/]+)\/(.+)\.\w+$/;

export function jekyllAddresses({ path, facts }: SiteDocument, settings: Facts): string[] {
  const old = listIn(facts, 'redirect_from');
  const stated = textIn(facts, 'permalink');
  const [, above = '', date, title = ''] = post.exec(path) ?? [];
  if (post.test(path)) {
    const slug = textIn(facts, 'slug') ?? title;
    // Folders above `_posts` are categories.
    const categories = [
      ...above.split('/').filter(Boolean),
      ...listIn(facts, 'categories'),
      ...listIn(facts, 'category'),
    ];
    const pattern = stated ?? defaultOf(settings, path, 'posts') ?? textIn(settings, 'permalink') ?? 'date';
    const around = { facts: { ...facts, categories, category: [] }, slug, folder: folderOf(path), date };
    return [filledPermalink(styles[pattern] ?? pattern, around), ...old];
  }
  const [, collection = '', inside = ''] = collected.exec(path) ?? [];
  if (collection !== '') {
    const all = isFacts(settings.collections) ? settings.collections[collection] : undefined;
    const ofCollection = isFacts(all) ? textIn(all, 'permalink') : undefined;
    const pattern =
      stated ?? defaultOf(settings, path, collection) ?? ofCollection ?? '/:collection/:path:output_ext';
    const folder = folderOf(inside);
    const slug = textIn(facts, 'slug') ?? nameOf(inside);
    const shown = filledPermalink(pattern, { facts, slug, folder, collection });
    return [shown, `${collection}/${inside}.html`, ...old];
  }
  const pattern = stated ?? defaultOf(settings, path, 'pages');
  const own = `${path.replace(/\.\w+$/, '')}.html`;
  const byFolder = folderAddress(path, /^(?:index|readme)$/i);
  const isPretty = textIn(settings, 'permalink')?.endsWith('/') || textIn(settings, 'permalink') === 'pretty';
  const usual = isPretty || byFolder !== `${path.replace(/\.\w+$/, '')}/` ? [byFolder, own] : [own, byFolder];
  if (pattern === undefined) return [...usual, ...old];
  const shown = filledPermalink(styles[pattern] ?? pattern, {
    facts,
    slug: nameOf(path),
    folder: folderOf(path),
  });
  return [shown.replace(/:basename/g, nameOf(path)), ...old];
}

/** Permalink that the settings give to all documents of a folder or type. */
function defaultOf(settings: Facts, path: string, type: string): string | undefined {
  const all = Array.isArray(settings.defaults) ? settings.defaults.filter(isFacts) : [];
  for (const { scope, values } of all.toReversed()) {
    if (!isFacts(scope) || !isFacts(values)) continue;
    const permalink = textIn(values, 'permalink');
    const folder = (textIn(scope, 'path') ?? '').replace(/^\/|\/$/g, '');
    const wanted = textIn(scope, 'type');
    if (permalink === undefined || (wanted !== undefined && wanted !== type)) continue;
    if (folder === '' || path === folder || path.startsWith(`${folder}/`)) return permalink;
  }
  return undefined;
}

/** HTML that Jekyll copies as it is, because it does not begin with front matter. */
export async function withoutFrontMatter(
  tree: FileTree,
  isPage: (path: string) => boolean,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of tree.paths.filter((path) => /\.html?$/i.test(path) && isPage(path)))
    if (!(await bytesOf(tree, path, maxBodyBytes).then(isWithFrontMatter, () => true))) found.add(path);
  return found;
}

function isWithFrontMatter(bytes: Buffer): boolean {
  return /^(?:\xEF\xBB\xBF)?---[ \t]*\r?\n/.test(bytes.subarray(0, 100).toString('latin1'));
}
