/**
 * Expands a body with everything it needs of the wiki, limited to what its reader may see: one batch of queries for each
 * nesting level of templates.
 */
import { type ExpandPage, type ListingRows, limits, type Needs } from '@coppice/wikitext';
import type { AttachedFile, Format } from '../model/page.ts';
import type { Actor } from '../model/permission.ts';
import { fileUrl } from '../ports/file-store.ts';
import type { Reader } from '../ports/reader.ts';
import type { ExpandedBody, Language, PlainContext } from './language.ts';
import { PageParts, pageNameOf } from './page-parts.ts';
import { type Answers, answerNeeds, type RenderNeeds, type Targets, type Templates } from './render-needs.ts';

export interface Expanding {
  siteName: string;
  language: Language;
  /** Limit on lookups for previews and older versions requested by strangers. Absent: unlimited. */
  lookups?: Lookups;
}

/** Limits lookups of links and templates, because database time cannot be measured for each request. */
export interface Lookups {
  /** Maximum number of different links of a preview that are looked up. */
  maxLinks: number;
  /** Called with the number of names before they are looked up. */
  spend(names: number): void;
}

export interface ExpandInput {
  page: ExpandPage;
  body: string;
  format: Format;
  /** Files of the page, if already loaded; otherwise its current ones are loaded. */
  files?: AttachedFile[];
  /** Language of the page, whose links and lists prefer pages in it. Absent or null for that of the wiki. */
  language?: string | null;
}

interface WholeExpansion {
  expansion: ExpandedBody;
  /** Everything that the page needed, with the answers. */
  needs: RenderNeeds;
  found: Omit<Answers, 'links'>;
  parts: PageParts;
}

/**
 * Expands a body with all templates, modules and listings, in one batch of reads for each level. `substitutes`: expands only
 * `{{subst:…}}`.
 */
export async function expandWhole(
  { reader, now }: { reader: Reader; now: number },
  { siteName, language, lookups }: Expanding,
  { body, format, ...input }: ExpandInput,
  substitutes = false,
): Promise<WholeExpansion> {
  const { page } = input;
  const templates = new Map<string, string | null>();
  const ownNames = new Set<string>();
  const exists = new Map<string, boolean>();
  const listings = new Map<string, ListingRows>();
  const files = new Map<string, string | null>();
  const context: PlainContext = {
    page,
    templates,
    ownNames,
    exists,
    files,
    listings,
    now,
    siteName,
    dialect: reader.dialect,
    substitutes,
    ...(substitutes && reader.actor ? { signature: signatureOf(reader.actor) } : {}),
  };
  const allNeeds: RenderNeeds = { templates: [], exists: [], listings: [], links: [], files: [] };
  const found = {
    templates: new Map() as Templates,
    exists: new Map() as Targets,
    files: new Map() as Answers['files'],
    listings,
  };
  const parts = new PageParts(language, reader.dialect);
  let expansion = await language.expand(body, format, context);
  // Each round expands one nesting level; the limit is the language's own, plus one round.
  for (let level = 0; level <= limits.templateDepth && needsAnything(expansion.needs); level++) {
    const { needs } = expansion;
    const pages = new Set(needs.templates.map(pageNameOf));
    lookups?.spend(pages.size + needs.exists.length + needs.files.length);
    const asked = { ...needs, templates: [...pages], links: [] };
    const answers = await answerNeeds(reader, asked, input);
    for (const name of needs.templates) {
      const template = answers.templates.get(pageNameOf(name));
      templates.set(name, template ? await parts.bodyOf(name, template) : null);
      if (template?.id === page.id && page.type !== 'Template' && !/^\/|#/.test(name)) ownNames.add(name);
    }
    for (const target of needs.exists) exists.set(target, answers.exists.has(target));
    for (const name of needs.files) {
      const file = answers.files.get(name);
      files.set(name, file ? fileUrl(file.name) : null);
    }
    for (const { key } of needs.listings) listings.set(key, answers.listings.get(key) ?? { rows: [] });
    allNeeds.templates = [...new Set([...allNeeds.templates, ...pages])];
    allNeeds.exists.push(...needs.exists);
    allNeeds.files.push(...needs.files);
    allNeeds.listings.push(...needs.listings);
    found.templates = new Map([...found.templates, ...answers.templates]);
    found.exists = new Map([...found.exists, ...answers.exists]);
    found.files = new Map([...found.files, ...answers.files]);
    expansion = await language.expand(body, format, context);
  }
  return { expansion, needs: allNeeds, found, parts };
}

/** A link to the member's page, with markup characters in the name escaped. */
function signatureOf({ memberId, name }: NonNullable<Actor>): string {
  const plain = name.replace(/[[\]{}|<>&~]|''+|__+/g, (marks) =>
    [...marks].map((mark) => `&#${mark.codePointAt(0)};`).join(''),
  );
  return `[[Special:Redirect/user/${memberId}|${plain}]]`;
}

/** Whether an expansion asks for anything that must be looked up first. */
export function needsAnything(needs: Needs): boolean {
  return needs.templates.length + needs.exists.length + needs.files.length + needs.listings.length > 0;
}
