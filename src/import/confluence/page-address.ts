/** Whole addresses of pages, which Confluence writes where somebody pasted one. */
import { titleKey } from '#core/model/fold.ts';
import { percentDecoded } from '#core/model/path.ts';

const byId =
  /^(?:https?:\/\/[^/]+)?\/(?:[\w.-]+\/){0,3}(?:spaces\/[^/?#]+\/(?:pages|blog)\/(?:\d{4}\/\d\d\/\d\d\/)?(\d+)|pages\/viewpage\.action\?(?:[^#]*&)?pageId=(\d+))(?=[/?#&]|$)/;
/** Only of this Confluence: titles occur in others as well. */
const byTitle = /^\/(?:wiki\/|confluence\/)?display\/[^/?#]+\/([^/?#]+)/;

/** Key of the page that the address names, if it is one. `keys`: by title, folded. */
export function pageAt(address: string, keys: ReadonlyMap<string, string>): string | undefined {
  const [, id, old] = byId.exec(address) ?? [];
  const title = byTitle.exec(address)?.[1];
  return (
    id ??
    old ??
    (title === undefined ? undefined : keys.get(titleKey(percentDecoded(title.replaceAll('+', ' ')))))
  );
}
