/**
 * Pages that contain modules: names and source code. `{{#invoke:Trees|…}}` and `require('Module:Trees')` refer to the page of
 * type `Module` titled `Trees`, or else to the page titled `Module:Trees`.
 */
import type { Content, Format } from '../model/page.ts';
import { codeBlock } from './code-block.ts';

const prefix = 'Module:';

/** Returns `Trees` for `Module:Trees`, and undefined for names of templates. */
export function moduleTitle(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

/**
 * Returns the title `Template:Note` under which a page is found for a call of `Note`, after pages of the type `Template` and
 * before the page titled `Note`; undefined for paths, modules, and names with a namespace.
 */
export function templateTitle(name: string): string | undefined {
  return /^\/|:/.test(name) ? undefined : `Template:${name}`;
}

/** The first block of Lua code, so that the page can document the module around it; the whole page if it has no such block. */
export function moduleBody(body: string, format: Format): string {
  return luaBlockOf(body, format) ?? body;
}

/**
 * The body as readers see it; `type` is the field of the page, not a marker in the body. A page that is only source code is
 * shown as code, because `[[…]]` is a string in Lua. The documentation of `Module:X` is the page `Module:X/doc`, as in
 * MediaWiki.
 */
export function shownBody(page: ModulePage): string {
  const { body, format } = page;
  if (!isModule(page) || luaBlockOf(body, format) !== undefined) return body;
  if (format !== 'markdown') return `<syntaxhighlight lang="lua">\n${body}\n</syntaxhighlight>`;
  return codeBlock(body, 'lua');
}

/** Source code of a module; empty for other pages. */
export function programOf(page: ModulePage): string {
  return isModule(page) ? moduleBody(page.body, page.format) : '';
}

type ModulePage = Pick<Content, 'title' | 'body' | 'format'> & { type?: string | null | undefined };

/** Whether the page is Lua: by its type, or by its title unless it documents a module. */
export function isModule({ title, type }: Pick<ModulePage, 'title' | 'type'>): boolean {
  return type === 'Module' || (title.startsWith(prefix) && !title.endsWith('/doc'));
}

function luaBlockOf(body: string, format: Format): string | undefined {
  return format === 'markdown' ? fenced(body) : tagged(body);
}

function tagged(body: string): string | undefined {
  for (const tag of body.matchAll(/<(syntaxhighlight|source)\b([^<>]*)>/gi)) {
    const [written, name = '', attributes = ''] = tag;
    if (
      !/(?:^|\s)lang\s{0,9}=\s{0,9}(?:"lua"|'lua'|lua\s*$|lua\s)/i.test(attributes) ||
      attributes.endsWith('/')
    )
      continue;
    const from = tag.index + written.length;
    const end = new RegExp(`</${name}\\s*>`, 'gi');
    end.lastIndex = from;
    // Line numbers of error messages start after the tag.
    return body.slice(body[from] === '\n' ? from + 1 : from, end.exec(body)?.index);
  }
  return undefined;
}

function fenced(body: string): string | undefined {
  const open = /^ {0,3}(`{3,20}|~{3,20}) {0,9}lua *$/im.exec(body);
  if (!open) return undefined;
  const from = open.index + open[0].length + 1;
  const close = new RegExp(`^ {0,3}${open[1]} *$`, 'm').exec(body.slice(from));
  return body.slice(from, close ? from + close.index : undefined);
}
