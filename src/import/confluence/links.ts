/** Links between pages of a Confluence: by title within a space, by the key of another space, by ID, to headings and files. */
import { titleKey } from '#core/model/fold.ts';
import { encodePath, percentDecoded } from '#core/model/path.ts';
import { replaceLinks } from '../documents/scan.ts';
import type { LinkOutcome, LinkPlan } from '../source.ts';
import { targetOf } from './macros.ts';
import { pageAt } from './page-address.ts';

const maxHeadings = 500;

/** Path of a page in another export; undefined if there is none. `space`: key in lower case. */
type PathTitled = (space: string, title: string) => string | undefined;

interface LinkedPage {
  key: string;
  title: string;
  /** Key of the space. */
  space: string;
  isPost: boolean;
}

export class ConfluenceLinks {
  /** Space and title → page. */
  readonly #keys = new Map<string, string>();
  readonly #pages = new Map<string, LinkedPage>();
  readonly #headings = new Map<string, string[]>();

  /** A blog post has a title only where no page has it. */
  add(page: LinkedPage): void {
    const name = nameIn(page.space, page.title);
    this.#pages.set(page.key, page);
    if (!page.isPost || !this.#keys.has(name)) this.#keys.set(name, page.key);
  }

  /** `storage`: text of the page in the storage format. */
  addHeadings(key: string, storage: string): void {
    const found = storage.matchAll(/<h[1-6]\b[^<>]{0,200}>([\s\S]{1,500}?)<\/h[1-6]>/g).take(maxHeadings);
    const words = found.map(([, inside = '']) => inside.replace(/<[^<>]*>/g, '').trim());
    const headings = words.filter((one) => one !== '').toArray();
    if (headings.length > 0) this.#headings.set(key, headings);
  }

  /** Key of the page with that title in the space of that key. */
  keyOf(space: string, title: string): string | undefined {
    return this.#keys.get(nameIn(space, title));
  }

  adapt(key: string, body: string, plan: LinkPlan, elsewhere: PathTitled = () => undefined) {
    const links: LinkOutcome[] = [];
    const own = this.#pages.get(key)?.space ?? '';
    const titled = (space: string, title: string) => {
      const meant = this.keyOf(space, title);
      return { meant, path: meant === undefined ? elsewhere(space, title) : plan.pageOf(meant)?.path };
    };
    /** The page that a link names: `Title`, `KEY:Title`. */
    const pageOf = (target: string) => {
      const [, space = '', title = ''] = /^([\w.~-]{1,255}):(.+)$/s.exec(target) ?? [];
      const other = space === '' ? undefined : titled(space, title);
      return other?.path === undefined ? titled(own, target) : other;
    };
    /** `Media:Page/file.png` or `Page/file.png`, a file of another page by that page's title; undefined for own files. */
    const fileLink = (inside: string, isEmbed: boolean) => {
      const [, media = '', title, name = '', rest = ''] =
        /^(Media:)?(.*)\/([^|/]+)(\|.*)?$/s.exec(inside) ?? [];
      if (title === undefined) return undefined;
      const { path } = pageOf(title);
      links.push({
        old: `${title}/${name}`,
        new: path === undefined ? null : `${path}/${name}`,
        isFile: true,
      });
      return path === undefined ? undefined : `${isEmbed ? '!' : ''}[[${media}${path}/${name}${rest}]]`;
    };
    const text = replaceLinks(body, (link) => {
      if (link.kind === 'address') {
        if (link.target.startsWith('#')) {
          const heading = this.#headingAt(key, percentDecoded(link.target.slice(1)));
          return heading === undefined
            ? undefined
            : `[${link.text}](#${encodeURIComponent(heading.replaceAll(' ', '_'))}${link.more})`;
        }
        const named = pageAt(link.target);
        if (named === undefined) return undefined;
        const path =
          'id' in named ? plan.pageOf(named.id)?.path : titled(named.space.toLowerCase(), named.title).path;
        if (path === undefined) return undefined;
        links.push({ old: link.target, new: path });
        return `[${link.text}](${encodePath(path)}${link.more})`;
      }
      if (link.kind !== 'wiki') return undefined;
      const { inside, isEmbed } = link;
      if (inside.startsWith('Media:')) return fileLink(inside, isEmbed);
      const [, target = '', anchor, label = ''] = /^([^#|]*)(?:#([^|]*))?(.*)$/s.exec(inside) ?? [];
      const { path, meant } = target === '' ? { path: '', meant: key } : pageOf(target);
      const isFile = /\/[^/]+\.\w+$/.test(target);
      if (path === undefined && isFile) return fileLink(inside, isEmbed);
      const heading = anchor === undefined ? undefined : this.#headingAt(meant, anchor);
      const fragment = heading ?? anchor;
      if (target === '') return heading === undefined ? undefined : `[[#${heading}${label}]]`;
      links.push({ old: `[[${inside}]]`, new: path ?? null });
      if (path === undefined || (fragment === anchor && plan.pathOfTitle(target) === path)) return undefined;
      const rest = `${fragment === undefined ? '' : `#${fragment}`}${label}`;
      if (isEmbed) return `![[${path}${rest}]]`;
      return `[[${path}${rest}${label === '' ? `|${target}` : ''}]]`;
    });
    return { text, links };
  }

  /** Confluence leaves out the spaces of a heading, and some versions put the title of the page before it. */
  #headingAt(key: string | undefined, fragment: string): string | undefined {
    const { title } = this.#pages.get(key ?? '') ?? {};
    const wanted = bare(fragment);
    const own = this.#headings.get(key ?? '') ?? [];
    const found =
      own.find((heading) => bare(heading) === wanted) ??
      own.find((heading) => bare(`${title} ${heading}`) === wanted);
    return found === undefined || /[[\]|#<>&]/.test(found) ? undefined : found;
  }
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function nameIn(space: string, title: string): string {
  return `${space.toLowerCase()}\n${titleKey(targetOf(title))}`;
}
