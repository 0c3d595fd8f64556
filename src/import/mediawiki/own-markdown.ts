/** Pages in Markdown that an export of a Coppice holds: links are by title and files by name, as `src/export/mediawiki` writes them. */
import { encodePath, percentDecoded } from '#core/model/path.ts';
import { replaceLinks } from '../documents/scan.ts';
import type { Adapted, LinkOutcome } from '../source.ts';
import { type AdaptedPage, LinkReader, type Surroundings } from './adapt.ts';

export function adaptMarkdown(page: AdaptedPage, body: string, around: Surroundings): Adapted {
  const links: LinkOutcome[] = [];
  const reader = new LinkReader(page, around, links);
  const fileNamed = (name: string) => {
    const title = /^[^/]+\.\w{1,9}$/.test(name) ? around.titles.read(`File:${name}`) : undefined;
    const path = title && around.pathOfFile(title.name);
    if (path !== undefined) links.push({ old: name, new: path, isFile: true });
    return path;
  };
  const text = replaceLinks(body, (link) => {
    if (link.kind === 'wiki') {
      const [, target = '', label = ''] = /^([^|\\]*)(.*)$/s.exec(link.inside) ?? [];
      const path = link.isEmbed ? fileNamed(target.trim()) : undefined;
      if (path !== undefined) return `![[${path}${label}]]`;
      const changed = link.isEmbed ? undefined : reader.link(target, label !== '');
      return changed === undefined ? undefined : `${changed}${label}]]`;
    }
    const path = fileNamed(percentDecoded(link.target));
    if (path === undefined) return undefined;
    if (link.kind === 'tag') return encodePath(path);
    if (link.isDefinition) return `[${link.text}]: ${encodePath(path)}`;
    return `${link.isImage ? '!' : ''}[${link.text}](${encodePath(path)}${link.more})`;
  });
  return { body: text, links, approximated: [] };
}
