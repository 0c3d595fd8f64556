/**
 * From a body to what a reader sees: templates are fetched and put in place, one batch for each nesting level; then
 * all links and files are resolved in one batch; then rendering is pure. Everything is resolved with the
 * reader's own sight, so nothing shows in a page that its reader could not open.
 */
import {
  type ExpandPage,
  expand,
  type Listing,
  type ListingRows,
  limits,
  parse,
  type References,
  type Rendered,
  references,
  render,
} from '@coppice/wikitext';
import { fileUrl } from './files.ts';
import { answerListings } from './listings.ts';
import { wikitextOf } from './markdown.ts';
import type { AttachedFile, Format } from './page.ts';
import type { Sight } from './permission.ts';
import type { Store } from './store.ts';

/** What rendering takes from outside the language: filled by the composition root. */
export interface Renderer {
  siteName: string;
  /** Trusted HTML for code in a language; undefined: show it plain. */
  highlight?: (code: string, language: string) => string | undefined;
  /** Trusted HTML for a formula; undefined: show it plain. */
  math?: (tex: string, display: boolean) => string | undefined;
}

export interface RenderInput {
  page: ExpandPage;
  body: string;
  format: Format;
}

export interface RenderedPage extends Rendered {
  /** What the expanded text names. */
  references: References;
  /** Where its links lead for this reader. */
  targets: ReadonlyMap<string, { id: number; path: string; title: string }>;
}

export async function renderBody(
  store: Store,
  renderer: Renderer,
  sight: Sight,
  input: RenderInput,
  now: number,
): Promise<RenderedPage> {
  const templates = new Map<string, string | null>();
  const exists = new Map<string, boolean>();
  const listings = new Map<string, ListingRows>();
  const context = { page: input.page, templates, exists, listings, now, siteName: renderer.siteName };
  const source = wikitextOf(input.body, input.format);
  let expansion = expand(source, context);
  // Each round brings one nesting level further; the bound is the language's own, and one round more for good measure.
  for (let level = 0; level <= limits.templateDepth && needsAnything(expansion.needs); level++) {
    await fetchNeeds(store, sight, expansion.needs, input.page, { templates, exists, listings });
    expansion = expand(source, context);
  }
  const tree = parse(expansion.text, { path: input.page.path, expanded: true });
  const named = references(tree);
  const [targets, files] = await Promise.all([
    named.links.length > 0
      ? store.links.resolve(
          named.links.map((link) => link.target),
          sight,
        )
      : new Map(),
    named.files.length > 0
      ? store.links.files(input.page.id ?? null, named.files, sight)
      : new Map<string, AttachedFile>(),
  ]);
  const rendered = render(tree, {
    pages: targets,
    files: new Map([...files].map(([name, file]) => [name, resolvedFile(file)])),
    page: { path: input.page.path, title: input.page.title },
    listings,
    ...(renderer.highlight ? { highlight: renderer.highlight } : {}),
    ...(renderer.math ? { math: renderer.math } : {}),
  });
  return { ...rendered, notices: [...expansion.notices, ...rendered.notices], references: named, targets };
}

function needsAnything(needs: { templates: string[]; exists: string[]; listings: Listing[] }): boolean {
  return needs.templates.length + needs.exists.length + needs.listings.length > 0;
}

async function fetchNeeds(
  store: Store,
  sight: Sight,
  needs: { templates: string[]; exists: string[]; listings: Listing[] },
  page: ExpandPage,
  into: {
    templates: Map<string, string | null>;
    exists: Map<string, boolean>;
    listings: Map<string, ListingRows>;
  },
): Promise<void> {
  const [bodies, found, answers] = await Promise.all([
    needs.templates.length > 0 ? store.links.templates(needs.templates, sight) : undefined,
    needs.exists.length > 0 ? store.links.resolve(needs.exists, sight) : undefined,
    needs.listings.length > 0 ? answerListings(store, sight, needs.listings, page) : undefined,
  ]);
  for (const name of needs.templates) {
    const template = bodies?.get(name);
    into.templates.set(name, template ? wikitextOf(template.body, template.format) : null);
  }
  for (const target of needs.exists) into.exists.set(target, found?.has(target) ?? false);
  for (const { key } of needs.listings) into.listings.set(key, answers?.get(key) ?? { rows: [] });
}

function resolvedFile(file: AttachedFile) {
  return {
    url: fileUrl(file.name),
    mime: file.mime,
    title: file.filename,
    ...(file.thumbnail ? { thumbnailUrl: fileUrl(file.thumbnail) } : {}),
    ...(file.width === null ? {} : { width: file.width }),
    ...(file.height === null ? {} : { height: file.height }),
  };
}
