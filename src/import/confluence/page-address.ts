/** Whole addresses of pages, which Confluence writes where somebody pasted one. */
import { percentDecoded } from '#core/model/path.ts';

const byId =
  /^(?:https?:\/\/[^/]+)?\/(?:[\w.-]+\/){0,3}(?:spaces\/[^/?#]+\/(?:pages|blog)\/(?:\d{4}\/\d\d\/\d\d\/)?(\d+)|pages\/viewpage\.action\?(?:[^#]*&)?pageId=(\d+))(?=[/?#&]|$)/;
/** Only of this Confluence: titles occur in others as well. */
const byTitle = /^\/(?:wiki\/|confluence\/)?display\/([^/?#]+)\/([^/?#]+)/;

/** The page that the address names, if it is one. */
export function pageAt(address: string): { id: string } | { space: string; title: string } | undefined {
  const [, here, old] = byId.exec(address) ?? [];
  const id = here ?? old;
  if (id !== undefined) return { id };
  const [, space, title] = byTitle.exec(address) ?? [];
  return space === undefined || title === undefined
    ? undefined
    : { space: percentDecoded(space), title: percentDecoded(title.replaceAll('+', ' ')) };
}
