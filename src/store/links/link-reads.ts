/** Reads of links for one actor, recorded with what their results depend on; part of `reader.ts`. */
import { type Dependency, leadsTo, requestedLinks } from '#cache/dependency.ts';
import { moduleTitle, templateTitle } from '#core/content/module-body.ts';
import { titleKey } from '#core/model/fold.ts';
import type { LinkReads } from '#core/ports/reader.ts';
import type { Parts } from '../parts.ts';
import { askAsEveryone, type View } from '../visibility.ts';

export function linkReads({ links }: Parts, view: View): LinkReads {
  const { visibility, trace } = view;
  return {
    async resolve(targets, from) {
      if (targets.length === 0) return new Map();
      trace.record(leadingTo(targets), 0);
      return askAsEveryone(view, (visibility) => links.resolve(visibility, targets, from));
    },
    async templates(targets) {
      if (targets.length === 0) return new Map();
      const others = targets.flatMap((name) => moduleTitle(name) ?? templateTitle(name) ?? []);
      trace.record(leadingTo([...targets, ...others]), 0);
      const found = await askAsEveryone(view, (visibility) => links.templates(visibility, targets));
      trace.record(
        [...found.values()].map(({ id }) => id),
        0,
      );
      return found;
    },
    async files(pageId, names) {
      if (names.length === 0) return new Map();
      const pages = names.flatMap(pagePathOf);
      const own = pageId === null ? [] : [pageId];
      // Files of other pages are found with this visibility only.
      trace.record([...own, ...leadingTo(pages)], pages.length > 0 ? undefined : 0);
      return links.files(visibility, pageId, names);
    },
    async backlinks(page, range) {
      const { pages, total, dependencies } = await links.backlinks(visibility, page, range);
      trace.record([page.id, ...dependencies], undefined);
      trace.show(pages);
      return { pages, total };
    },
    async backlinksOfEach(pages, limit) {
      if (pages.length === 0) return new Map();
      trace.record('anything', undefined);
      const found = await links.backlinksOfEach(visibility, pages, limit);
      for (const linking of found.values()) trace.show(linking);
      return found;
    },
    async wanted(limit, linksLimit) {
      trace.record([requestedLinks], undefined);
      const wanted = await links.wanted(visibility, limit, linksLimit);
      for (const { links } of wanted) trace.show(links);
      return wanted;
    },
  };
}

function leadingTo(names: string[]): Dependency[] {
  return names.map((name) => leadsTo(titleKey(name)));
}

/** Path of the page in a reference to another page's file. */
function pagePathOf(file: string): string[] {
  return file.startsWith('/') ? [file.slice(0, file.lastIndexOf('/'))] : [];
}
